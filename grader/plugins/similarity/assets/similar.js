addEventListener("DOMContentLoaded", () => {
  const bar = document.querySelector("[data-does=matches]");
  const count = all(".match").length / 2;
  if (!bar || !count) return;
  let now = 0;
  const sides = (number) => ["a", "b"].map((side) => document.getElementById(`${side}${number}`));
  const lines = (match) => {
    const numbers = all(".n", match).map((one) => one.textContent);
    return numbers.length > 1 ? `lines ${numbers[0]} to ${numbers.at(-1)}` : `line ${numbers[0]}`;
  };
  const go = (to) => {
    now = Math.min(Math.max(to, 1), count);
    const both = sides(now);
    for (const match of all(".match")) match.classList.toggle("now", both.includes(match));
    for (const match of both) match.parentElement.scrollTop = match.offsetTop - 8;
    bar.querySelector("output").textContent = `match ${now} of ${count}: ${both.map(lines).join(" and ")}`;
    for (const [name, end] of [["back", 1], ["next", count]]) {
      bar.querySelector(`[data-match=${name}]`).setAttribute("aria-disabled", now === end);
    }
  };
  const goes = { back: () => now - 1, next: () => now + 1 };
  for (const name of Object.keys(goes)) bar.querySelector(`[data-match=${name}]`).onclick = () => go(goes[name]());
  const compare = bar.parentElement;
  compare.onclick = (event) => {
    const link = event.target.closest(".jump");
    if (!link) return;
    event.preventDefault();
    const target = document.getElementById(link.hash.slice(1));
    go(Number(target.id.slice(1)));
    target.querySelector(".jump").focus({ preventScroll: true });
    target.parentElement.scrollIntoView({ block: "nearest" });
  };
  const keys = { ArrowLeft: "back", ArrowRight: "next" };
  compare.onkeydown = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !keys[event.key]) return;
    event.preventDefault();
    go(goes[keys[event.key]]());
  };
  bar.hidden = false;
  go(1);
});
