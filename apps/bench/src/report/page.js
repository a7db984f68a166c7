"use strict";
// Tooltips of plots, by pointer and by arrow keys. The text is that of the <title>, which is removed once it is shown here,
// so that the browser does not show it a second time.
const tip = document.getElementById("tip");
let current = null;

function show(mark) {
  hide();
  const title = mark.querySelector("title");
  if (title) {
    mark.tip = title.textContent;
    title.remove();
  }
  current = mark;
  // Keys go on from here, also after scrolling has hidden the text.
  mark.ownerSVGElement.last = mark;
  mark.classList.add("on");
  tip.textContent = mark.tip;
  tip.hidden = false;
  const box = mark.getBoundingClientRect();
  const left = box.left + box.width / 2 - tip.offsetWidth / 2;
  const above = box.top - tip.offsetHeight - 8;
  tip.style.left = Math.max(4, Math.min(left, innerWidth - tip.offsetWidth - 4)) + "px";
  tip.style.top = (above < 4 ? box.bottom + 8 : above) + "px";
}

function hide() {
  if (current) current.classList.remove("on");
  current = null;
  tip.hidden = true;
}

// Left and right step along a line, up and down change to the nearest point of another line.
function step(plot, key) {
  const marks = [...plot.querySelectorAll("g use")];
  if (!marks.length) return;
  const from = plot.last;
  if (!from) return show(marks[0]);
  const line = from.parentNode;
  const along = key === "ArrowLeft" || key === "ArrowRight";
  const forward = key === "ArrowRight" || key === "ArrowDown";
  if (along || plot.classList.contains("forest")) {
    const own = plot.classList.contains("forest") ? marks : [...line.querySelectorAll("use")];
    const next = own[own.indexOf(from) + (forward ? 1 : -1)];
    return show(next || from);
  }
  const lines = [...plot.querySelectorAll("g")].filter((g) => g.querySelector("use"));
  const other = lines[(lines.indexOf(line) + (forward ? 1 : lines.length - 1)) % lines.length];
  const x = from.x.baseVal.value;
  const distance = (mark) => Math.abs(mark.x.baseVal.value - x);
  show([...other.querySelectorAll("use")].reduce((a, b) => (distance(b) < distance(a) ? b : a)));
}

for (const plot of document.querySelectorAll(".plot")) {
  plot.addEventListener("pointerover", (event) => {
    const mark = event.target.closest("use");
    if (mark) show(mark);
    else if (current && document.activeElement !== plot) hide();
  });
  plot.addEventListener("pointerleave", hide);
  plot.addEventListener("blur", hide);
  plot.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    step(plot, event.key);
  });
}

// A name of the legend brings out its line in all plots of the figure.
for (const figure of document.querySelectorAll("figure")) {
  for (const entry of figure.querySelectorAll(".legend li")) {
    const bring = (on) => {
      for (const plot of figure.querySelectorAll(".plot")) {
        plot.classList.toggle("dim", on);
        const line = plot.querySelector(`g[data-s="${entry.dataset.s}"]`);
        if (line) line.classList.toggle("on", on);
      }
    };
    entry.addEventListener("pointerenter", () => bring(true));
    entry.addEventListener("pointerleave", () => bring(false));
  }
}
addEventListener("scroll", hide, { passive: true });

// Links to closed details open them.
function reveal() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target && target.tagName === "DETAILS") target.open = true;
}
addEventListener("hashchange", reveal);
reveal();
