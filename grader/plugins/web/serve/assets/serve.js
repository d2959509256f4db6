
// Everything below also works without a script: forms are sent, and pages are opened, by the browser alone.
const SECONDS = 2;
const here = () => document.body.dataset;

function makeForMarkers(inside) {
  all("[data-opens]").forEach((button) => {
    button.hidden = false;
    button.onclick = () => document.getElementById(button.dataset.opens).showModal();
  });
  all("form[data-decision]", inside).forEach((form) => { form.onsubmit = sendInTurn; });
}

// Decisions are sent one after the other, so none overtakes or ends another one.
let sending = Promise.resolve();
function sendInTurn(event) {
  event.preventDefault();
  const form = event.currentTarget;
  const body = new URLSearchParams(new FormData(form, event.submitter));
  sending = sending.then(() => send(form, body)).catch((error) => tell(`Not written: ${error.message}`));
}

// What the marker's own decision just before has changed, the marker has seen.
function formNow(form) {
  if (form.isConnected) return form;
  const found = all("form[data-decision]").find((one) => formName(one) === formName(form));
  if (!found) throw new Error("the page has changed meanwhile, decide once more");
  return found;
}

function formName(form) {
  const data = new FormData(form);
  const about = ["student", "item", "rule", "test", "group", "request", "take_back"].map((name) => data.get(name) ?? "");
  return [new URL(form.action).pathname, ...about].join(" ");
}

async function send(form, body) {
  const address = form.action;
  body.set("seen", formNow(form).elements.seen.value);
  document.body.classList.add("saving");
  try {
    const answer = await fetch(address, { method: "POST", body });
    show(new DOMParser().parseFromString(await answer.text(), "text/html"), new URL(answer.url).hash);
  } finally {
    document.body.classList.remove("saving");
  }
}

// The new page takes the place of the old one, with the same things open and the same place in focus.
function show(page, hash) {
  const main = page.getElementById("main");
  if (!main) throw new Error(page.body.textContent.trim());
  const focus = document.activeElement?.closest("[id]")?.id || hash.slice(1);
  const open = new Map(all("details[id]").map((one) => [one.id, one.open]));
  const unsent = new Map(all("form[data-decision] :is(textarea, input:not([type=hidden]))")
    .filter((field) => field.value !== field.defaultValue && field.closest("form") !== document.activeElement?.closest("form"))
    .map((field) => [fieldName(field), field.value]));
  document.getElementById("main").replaceWith(main);
  document.title = page.title;
  here().version = page.body.dataset.version;
  document.getElementById("faults").replaceWith(page.getElementById("faults"));
  for (const one of all("details[id]")) one.open = open.get(one.id) ?? one.open;
  for (const field of all("form[data-decision] :is(textarea, input:not([type=hidden]))")) {
    const kept = unsent.get(fieldName(field));
    if (kept !== undefined) field.value = kept;
  }
  all("[data-does=filter]").forEach(makeFilter);
  all("[data-does=tools]").forEach(makeTools);
  all(".replay").forEach(makeReplay);
  makeForMarkers(main);
  document.getElementById(focus)?.focus({ preventScroll: true });
  tell("");
}

function fieldName(field) {
  return `${field.name} ${field.form.matches(".exact") ? "exact" : ""} ${formName(field.form)}`;
}

function tell(text) {
  const news = document.getElementById("news");
  if (!news) return;
  news.textContent = text;
  news.hidden = !text;
}

const targets = () => all(".target");
const current = () => document.activeElement?.closest(".target");

function step(by) {
  const list = targets();
  const at = list.indexOf(current());
  const next = list[at < 0 ? (by > 0 ? 0 : list.length - 1) : Math.min(Math.max(at + by, 0), list.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

function press(selector) {
  const target = current() ?? targets().find((one) => one.classList.contains("open")) ?? targets()[0];
  const button = target?.querySelector(selector);
  if (!button) return;
  target.focus();
  button.form.requestSubmit(button);
}

// No key acts on a page that is about to be left: it is meant for the next one.
let leaving = false;
async function go(page) {
  if (!page) return;
  leaving = true;
  await sending;
  location.href = page;
}
addEventListener("pageshow", () => { leaving = false; });

const KEYS = {
  j: () => step(1),
  k: () => step(-1),
  f: () => press("[data-full]"),
  z: () => press("[data-zero]"),
  u: () => press("[data-key=u]"),
  c: () => press("[data-key=c]"),
  w: () => press("[data-key=w]"),
  e: () => (current() ?? targets()[0])?.querySelector(".exact input:not([type=hidden])")?.focus(),
  n: () => go(here().next),
  p: () => go(here().previous),
  t: () => go(here().waiting),
  g: () => go(here().class ?? "/index.html"),
  o: () => { const more = document.getElementById("more"); if (more) { more.open = !more.open; more.querySelector("summary").focus(); } },
  "?": () => document.getElementById("help")?.showModal(),
};

function writesText(element) {
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement || element?.isContentEditable
    || (element instanceof HTMLInputElement && !["checkbox", "radio", "button", "submit"].includes(element.type));
}

function actOn(event) {
  if (leaving || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || event.repeat) return;
  if (event.key === "Escape" && writesText(event.target)) { event.target.blur(); current()?.focus(); return; }
  if (writesText(event.target) || document.querySelector("dialog[open]")) return;
  const act = /^[0-9]$/.test(event.key) ? () => press(`[data-key="${event.key}"]`) : Object.hasOwn(KEYS, event.key) && KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

async function look() {
  const { live, version, student } = here();
  const answer = await fetch(`/changes?since=${version}`);
  if (!answer.ok) throw new Error(await answer.text());
  const news = await answer.json();
  showFaults(news.faults);
  if (live === "class") {
    here().version = news.version;
    const state = document.getElementById("state");
    if (state) { state.textContent = news.state; state.dataset.graded = news.is_graded ? "yes" : "no"; }
    showRows(Object.values(news.rows));
  } else if (live === "student" && student in news.rows) {
    tell("Another marker, an editor or the grader has changed something here: open the page anew to see it.");
  }
}

function showRows(rows) {
  const body = document.querySelector("#class tbody");
  for (const html of body ? rows : []) {
    const row = document.createElement("template");
    row.innerHTML = html.trim();
    const fresh = row.content.firstElementChild;
    const old = document.getElementById(fresh.id);
    const name = fresh.cells[0].textContent;
    if (old) old.replaceWith(fresh);
    else body.insertBefore(fresh, [...body.rows].find((one) => one.cells[0].textContent > name) ?? null);
  }
  if (rows.length) all("[data-does=filter]").forEach(makeFilter);
}

function showFaults(faults) {
  const place = document.getElementById("faults");
  const shown = all("p", place).slice(0, -1).map((one) => one.textContent);
  if (JSON.stringify(shown) === JSON.stringify(faults)) return;
  const lines = faults.length ? [...faults, "What the file said before counts until it is mended. It is not written to meanwhile."] : [];
  place.replaceChildren(...lines.map((line) => {
    const one = document.createElement("p");
    one.className = "warning";
    one.textContent = line;
    return one;
  }));
}

async function keepLooking() {
  try {
    await sending;
    await look();
  } catch (error) {
    tell(`The server does not answer: ${error.message}`);
  }
  setTimeout(keepLooking, SECONDS * 1000);
}

// Who looks at a part of the class, such as a section, goes on among its students.
function stayInPart(event) {
  const link = event.target.closest?.("#class tbody a");
  if (!link) return;
  const part = new URLSearchParams([...new URLSearchParams(location.search)].filter(([name]) => /^r\d+$/.test(name)));
  link.search = part.toString();
}

addEventListener("DOMContentLoaded", () => {
  makeForMarkers(document);
  addEventListener("click", stayInPart, { capture: true });
  addEventListener("keydown", actOn);
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const target = named?.classList.contains("target") ? named : document.querySelector(".target.open");
  if (here().live === "student") target?.focus({ preventScroll: true });
  if (here().live) setTimeout(keepLooking, SECONDS * 1000);
});
