"use strict";

const filter = document.getElementById("filter");
const table = document.getElementById("findings");
const shown = document.getElementById("shown");

function rows() {
  return table ? Array.from(table.tBodies[0].rows) : [];
}

function show() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const row of rows()) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    count += row.hidden ? 0 : 1;
  }
  shown.textContent = String(count);
}

function sort(heading) {
  const index = heading.cellIndex;
  const down = heading.getAttribute("aria-sort") === "ascending";
  const key = (row) => row.cells[index].dataset.key || row.cells[index].textContent;
  const ordered = rows().sort((a, b) => key(a).localeCompare(key(b), "en", { numeric: true }));
  if (down) ordered.reverse();
  for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  table.tBodies[0].append(...ordered);
}

if (table) {
  filter.addEventListener("input", show);
  for (const heading of table.tHead.rows[0].cells) {
    heading.querySelector("button").addEventListener("click", () => sort(heading));
  }
}

window.addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details")) part.open = true;
});
