"""A small client of the real server, over stdio."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

WAIT = 60.0
"""Seconds for an answer: a machine under load starts the server slowly."""


class Client:
    """Starts ``pylsp`` for a folder; ``settings`` are those of ``pylsp.plugins``."""

    def __init__(self, folder: Path, settings: dict[str, Any] | None = None) -> None:
        self._folder = folder
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pylsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
        )
        self._messages: queue.Queue[dict[str, Any]] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._number = 0
        self._version = 0
        options = {"pylsp": {"plugins": settings or {}}}
        self.answer(
            "initialize",
            processId=None,
            rootUri=folder.as_uri(),
            capabilities={},
            initializationOptions=options,
        )
        self._send(method="initialized", params={})

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def answer(self, method: str, **params: Any) -> Any:
        self._number += 1
        self._send(id=self._number, method=method, params=params)
        while True:
            message = self._messages.get(timeout=WAIT)
            if message.get("id") == self._number and "method" not in message:
                assert "error" not in message, message["error"]
                return message["result"]

    def open(self, name: str, text: str) -> list[dict[str, Any]]:
        """Open a buffer; its diagnostics."""
        document = {"uri": self.uri(name), "languageId": "python", "version": 0, "text": text}
        self._send(method="textDocument/didOpen", params={"textDocument": document})
        return self._published(name)

    def shut(self, name: str) -> None:
        """Close a buffer without saving it."""
        params = {"textDocument": {"uri": self.uri(name)}}
        self._send(method="textDocument/didClose", params=params)

    def change(self, name: str, text: str) -> list[dict[str, Any]]:
        """Replace a buffer's text; its diagnostics."""
        self._version += 1
        document = {"uri": self.uri(name), "version": self._version}
        params = {"textDocument": document, "contentChanges": [{"text": text}]}
        self._send(method="textDocument/didChange", params=params)
        return self._published(name)

    def actions(self, name: str, diagnostic: dict[str, Any]) -> dict[str, dict[str, Any]]:
        """The code actions at a diagnostic, by title."""
        found = self.answer(
            "textDocument/codeAction",
            textDocument={"uri": self.uri(name)},
            range=diagnostic["range"],
            context={"diagnostics": [diagnostic]},
        )
        return {item["title"]: item for item in found}

    def uri(self, name: str) -> str:
        return (self._folder / name).as_uri()

    def _published(self, name: str) -> list[dict[str, Any]]:
        while True:
            message = self._messages.get(timeout=WAIT)
            if message.get("method") == "textDocument/publishDiagnostics":
                if message["params"]["uri"] == self.uri(name):
                    found: list[dict[str, Any]] = message["params"]["diagnostics"]
                    return found

    def _send(self, **message: Any) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._process.stdin.flush()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            self._messages.put(json.loads(stream.read(length)))


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """The text with a document's edits, as a client makes them (UTF-16 offsets)."""
    data = text.encode("utf-16-le")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode("utf-16-le")))

    def offset(place: dict[str, int]) -> int:
        return starts[place["line"]] + 2 * place["character"]

    ordered = sorted(edits, key=lambda edit: offset(edit["range"]["start"]), reverse=True)
    for edit in ordered:
        span = edit["range"]
        new = edit["newText"].encode("utf-16-le")
        data = data[: offset(span["start"])] + new + data[offset(span["end"]) :]
    return data.decode("utf-16-le")
