#!/usr/bin/env bash
# The linter's tests on every other Python found: all but those that need torch or a tool of ours.
#   tests/interpreters.sh FOLDER     (virtual environments are made in FOLDER)
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
own=$(python3 -c 'import sys; print(*sys.version_info[:2], sep=".")')

candidates() {
  for minor in 10 11 12 13 14; do command -v "python3.$minor" || true; done
  if command -v pyenv >/dev/null; then
    for python in "$(pyenv root)"/versions/*/bin/python; do echo "$python"; done
  fi
}

seen=" $own "
candidates | while read -r python; do
  version=$("$python" -c 'import sys; print(*sys.version_info[:2], sep=".")' 2>/dev/null) || continue
  case "$seen" in *" $version "*) continue ;; esac
  case "$version" in 3.1[0-9]) ;; *) continue ;; esac
  seen="$seen$version "
  echo "== Python $version"
  "$python" -m venv "$folder/$version"
  "$folder/$version/bin/pip" install -q '.[flake8,pylint,fix,yaml]' pytest hypothesis numpy
  "$folder/$version/bin/python" -m pytest -q -p no:cacheprovider </dev/null
done
