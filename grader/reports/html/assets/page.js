"use strict";

const THEMES = ["", "light", "dark"];
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

// A browser may keep nothing for pages from files; choices then last as long as the page.
const kept = {
  get(name) {
    try { return localStorage.getItem(`grader-${name}`) || ""; } catch { return ""; }
  },
  set(name, value) {
    try { localStorage.setItem(`grader-${name}`, value); } catch { /* not kept */ }
  },
};

function showTheme(theme) {
  document.documentElement.dataset.theme = theme;
  for (const button of all("[data-does=theme]")) {
    button.hidden = false;
    button.querySelector(".chosen").textContent = button.dataset[theme || "system"];
    button.onclick = () => {
      const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
      kept.set("theme", next);
      showTheme(next);
    };
  }
}

// For anonymous marking, full names go out of sight on every page.
function showNames(choice) {
  document.documentElement.dataset.names = choice;
  for (const button of all("[data-does=names]")) {
    button.hidden = false;
    button.setAttribute("aria-pressed", choice === "hidden");
    button.onclick = () => {
      const next = choice === "hidden" ? "" : "hidden";
      kept.set("names", next);
      showNames(next);
    };
  }
}

function sortKey(row, column, kind) {
  const cell = row.cells[column];
  if (kind === "text") return cell.textContent.trim();
  const number = Number.parseFloat(cell.dataset.k ?? cell.textContent);
  return Number.isNaN(number) ? -Infinity : number;
}

function sortBy(table, column, kind, down) {
  const body = table.tBodies[0];
  const keyed = [...body.rows].map((row) => [sortKey(row, column, kind), row]);
  const texts = new Intl.Collator("en", { numeric: true });
  const order = kind === "text" ? (a, b) => texts.compare(a, b) : (a, b) => (a === b ? 0 : a - b);
  keyed.sort((a, b) => (down ? order(b[0], a[0]) : order(a[0], b[0])));
  body.append(...keyed.map(([, row]) => row));
}

function makeSortable(table) {
  const heads = all("th[data-sort]", table);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.onclick = () => {
      const now = head.getAttribute("aria-sort");
      const down = now ? now === "ascending" : head.dataset.sort === "number";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      sortBy(table, column, head.dataset.sort, down);
    };
  });
}

function makeFilter(form) {
  const rows = [...document.getElementById(form.dataset.table).tBodies[0].rows];
  const fold = (text) => text.normalize("NFKC").toLowerCase();
  const names = rows.map((row) => fold(row.cells[0].textContent));
  const has = (words, word) => !word || words.split(" ").includes(word);
  const fields = [...form.elements].filter((field) => field.name);
  const valueOf = (field) => (field?.type === "checkbox" && !field.checked ? "" : field?.value ?? "");
  const roster = fields.filter((field) => /^r\d+$/.test(field.name));
  const apply = () => {
    const { text, test, state, verdict, failed, fails } = form.elements;
    const wanted = fold((text ?? test).value.trim());
    let shown = 0;
    rows.forEach((row, index) => {
      const fits = names[index].includes(wanted)
        && [state, failed, fails].every((field) => has(row.dataset.s, valueOf(field))) && has(row.dataset.v, valueOf(verdict))
        && roster.every((field) => !field.value || row.dataset[field.name] === field.value);
      row.hidden = !fits;
      shown += fits;
    });
    const output = form.querySelector("output");
    output.textContent = `${shown} of ${rows.length} ${output.dataset.words}`;
    const rest = form.parentElement.querySelector(".rest");
    if (rest) rest.hidden = shown <= 50;
  };
  // What is chosen stands in the address, so that a link shows the same students.
  const fromAddress = () => {
    const chosen = new URLSearchParams(location.search);
    for (const field of fields) {
      if (field.type === "checkbox") field.checked = chosen.has(field.name);
      else field.value = chosen.get(field.name) ?? "";
    }
    apply();
  };
  const toAddress = () => {
    // Another table of the page keeps its own.
    const chosen = new URLSearchParams(location.search);
    for (const field of fields) {
      chosen.delete(field.name);
      if (valueOf(field)) chosen.append(field.name, valueOf(field));
    }
    try { history.replaceState(null, "", `${location.pathname}${chosen.size ? `?${chosen}` : ""}${location.hash}`); } catch { /* the address stays */ }
  };
  form.hidden = false;
  form.oninput = () => { apply(); toAddress(); };
  form.onsubmit = (event) => event.preventDefault();
  fromAddress();
}

function showView(view) {
  for (const diff of all(".diff")) diff.classList.toggle("split", view === "split");
  for (const button of all("[data-view]")) button.setAttribute("aria-pressed", button.dataset.view === view);
}

// Spaces become dots in what is shown; the true text is kept aside.
const texts = new Map();
function showWhitespace(on) {
  for (const button of all("[data-does=whitespace]")) button.setAttribute("aria-pressed", on);
  document.body.classList.toggle("whitespace", on);
  if (!on) {
    for (const [node, text] of texts) node.data = text;
    texts.clear();
    return;
  }
  for (const code of all(".diff code")) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      texts.set(walker.currentNode, walker.currentNode.data);
      walker.currentNode.data = walker.currentNode.data.replaceAll(" ", "·");
    }
  }
}

function makeTools(tools) {
  tools.hidden = false;
  const failures = all(".failure");
  const press = (name, action) => { tools.querySelector(`[data-does=${name}]`).onclick = action; };
  const folds = [...failures, ...all(".folded")];
  press("open", () => folds.forEach((one) => { one.open = true; }));
  press("close", () => folds.forEach((one) => { one.open = false; }));
  press("whitespace", (event) => showWhitespace(event.currentTarget.getAttribute("aria-pressed") !== "true"));
  for (const button of all("[data-view]", tools)) {
    button.onclick = () => { kept.set("view", button.dataset.view); showView(button.dataset.view); };
  }
  showView(kept.get("view") || (matchMedia("(min-width: 64rem)").matches ? "split" : "unified"));
}

function makeReplay(replay) {
  const screen = replay.querySelector(".terminal");
  const steps = [...screen.children];
  const differs = steps.findIndex((step) => step.classList.contains("differs"));
  const button = (name) => replay.querySelector(`[data-step=${name}]`);
  let now = steps.length - 1;
  const go = (to) => {
    now = Math.min(Math.max(to, 0), steps.length - 1);
    steps.forEach((step, index) => {
      step.hidden = index > now;
      step.classList.toggle("now", index === now);
    });
    screen.scrollTop = Math.max(steps[now].offsetTop + steps[now].offsetHeight - screen.clientHeight, 0);
    const output = replay.querySelector("output");
    output.textContent = output.dataset.words.replace("NOW", now + 1).replace("ALL", steps.length);
    for (const [name, end] of [["first", 0], ["back", 0], ["next", steps.length - 1], ["last", steps.length - 1]]) {
      button(name).setAttribute("aria-disabled", now === end);
    }
  };
  const goes = { first: () => 0, back: () => now - 1, next: () => now + 1, last: () => steps.length - 1, differs: () => differs };
  for (const [name, to] of Object.entries(goes)) {
    if (button(name)) button(name).onclick = () => go(to());
  }
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
  replay.onkeydown = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !keys[event.key]) return;
    event.preventDefault();
    go(goes[keys[event.key]]());
  };
  replay.querySelector(".controls").hidden = steps.length < 2;
  replay.ontoggle = () => { if (replay.open && steps.length > 1) go(now); };
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const closed = [];
  for (let one = target?.closest("details"); one; one = one.parentElement.closest("details")) closed.push(one);
  if (!closed.length) return;
  closed.forEach((one) => { one.open = true; });
  target.scrollIntoView();
}

showTheme(kept.get("theme"));
showNames(kept.get("names"));
addEventListener("DOMContentLoaded", () => {
  showTheme(kept.get("theme"));
  showNames(kept.get("names"));
  all(".sortable").forEach(makeSortable);
  all("[data-does=filter]").forEach(makeFilter);
  all("[data-does=tools]").forEach(makeTools);
  all(".replay").forEach(makeReplay);
  openTarget();
  const first = document.querySelector(".failure");
  if (first && !document.querySelector(".failure[open]")) first.open = true;
});
addEventListener("hashchange", openTarget);
// What is chosen on one page holds on all that are open.
addEventListener("storage", () => {
  showTheme(kept.get("theme"));
  showNames(kept.get("names"));
});

let openedForPrint = [];
addEventListener("beforeprint", () => {
  openedForPrint = all(".failure.first:not([open]), .rule details:not([open])");
  for (const one of openedForPrint) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of openedForPrint) one.open = false;
});
