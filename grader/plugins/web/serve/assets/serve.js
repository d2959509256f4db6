
// Everything below also works without a script: forms are sent, and pages are opened, by the browser alone.
const SECONDS = 2;
const here = () => document.body.dataset;

function makeForMarkers(inside) {
  all("[data-opens]").forEach((button) => {
    button.hidden = false;
    button.onclick = () => document.getElementById(button.dataset.opens).showModal();
  });
  all("form[data-decision]", inside).forEach((form) => { form.onsubmit = sendInTurn; });
  all(".before", inside).forEach(makeUsedBefore);
  all("[data-does=find]", inside).forEach(makeFind);
  all(".desk-code .code", inside).forEach(makeLines);
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
  const about = ["student", "item", "rule", "test", "group", "request", "file", "line", "about"].map((name) => data.get(name) ?? "");
  return [new URL(form.action).pathname, ...about].join(" ");
}

async function send(form, body) {
  const address = form.action;
  body.set("seen", formNow(form).elements.seen.value);
  document.body.classList.add("saving");
  try {
    const answer = await fetch(address, { method: "POST", body });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (showProblem(page, form, answer.url)) return;
    show(page, new URL(answer.url).hash);
    if (here().live === "item" && answer.redirected) history.replaceState(null, "", answer.url);
  } finally {
    document.body.classList.remove("saving");
  }
}

// What is wrong is told beside the field, in which all stays as it was typed.
function showProblem(page, form) {
  const problem = page.getElementById("problem");
  const field = problem?.dataset.field && form.isConnected && form.elements[problem.dataset.field];
  if (!(field instanceof HTMLElement) || field.type === "hidden") return false;
  form.querySelector(".wrong")?.remove();
  const words = document.createElement("span");
  words.className = "wrong";
  words.id = "wrong";
  words.setAttribute("role", "alert");
  words.textContent = problem.textContent;
  (field.closest("label") ?? field).after(words);
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", "wrong");
  field.focus();
  return true;
}

// The new page takes the place of the old one, with the same things open and the same place in focus.
function show(page, hash) {
  const main = page.getElementById("main");
  if (!main) throw new Error(page.body.textContent.trim());
  const focus = document.activeElement?.closest("[id]")?.id || hash.slice(1);
  const open = new Map(all("details[id]").map((one) => [one.id, one.open]));
  const unsaid = all("form.here").filter((form) => !form.dataset.sent && form.elements.comment.value !== form.elements.comment.defaultValue)
    .map((form) => [form.dataset.line, form.elements.comment.value]);
  const cursor = document.querySelector(".code .at")?.id;
  const unsent = new Map(all("form[data-decision]:not(.here) :is(textarea, input:not([type=hidden]))")
    .filter((field) => field.value !== field.defaultValue && field.closest("form") !== document.activeElement?.closest("form"))
    .map((field) => [fieldName(field), field.value]));
  document.getElementById("main").replaceWith(main);
  document.title = page.title;
  for (const name of Object.keys(here())) delete here()[name];
  Object.assign(here(), { ...page.body.dataset });
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
  if (cursor) document.getElementById(cursor)?.classList.add("at");
  for (const [line, text] of unsaid) openLine(document.getElementById(line), text);
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

// A comment that was used before is taken again from a menu.
function makeUsedBefore(menu) {
  menu.hidden = false;
  const select = menu.querySelector("select");
  select.onchange = () => {
    const field = select.form.elements.comment;
    if (select.value) field.value = [field.value.trim(), select.value].filter(Boolean).join("\n");
    select.value = "";
    field.focus();
  };
}

function makeFind(tools) {
  tools.hidden = false;
  const field = tools.querySelector("input");
  const hits = () => all(".desk-code .code .l.hit");
  const goTo = (by) => {
    const list = hits();
    if (!list.length) return;
    const at = list.indexOf(document.querySelector(".code .at"));
    const next = at < 0 ? (by > 0 ? 0 : list.length - 1) : (at + by + list.length) % list.length;
    moveTo(list[next]);
    tools.querySelector("output").textContent = `${next + 1} of ${list.length} lines`;
  };
  field.oninput = () => {
    const text = field.value.toLowerCase();
    for (const line of all(".desk-code .code .l")) {
      line.classList.toggle("hit", text !== "" && line.querySelector("code").textContent.toLowerCase().includes(text));
    }
    tools.querySelector("output").textContent = text ? `${hits().length} lines` : "";
  };
  field.onkeydown = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    goTo(event.shiftKey ? -1 : 1);
  };
  all("button", tools).forEach((button) => { button.onclick = () => goTo(Number(button.dataset.by)); });
}

// The line that keys act on.
function moveTo(line) {
  if (!line) return;
  all(".code .at").forEach((one) => one.classList.remove("at"));
  line.classList.add("at");
  line.closest("details").open = true;
  line.scrollIntoView({ block: "nearest" });
}

function makeLines(code) {
  code.addEventListener("click", (event) => {
    const line = event.target.closest(".n")?.closest(".l") ?? previousLine(event.target.closest(".remark.said"));
    if (!line?.id) return;
    event.preventDefault();
    moveTo(line);
    openLine(line);
  });
  code.addEventListener("keydown", (event) => {
    if (event.target !== code || !["ArrowDown", "ArrowUp", "Enter"].includes(event.key)) return;
    const lines = all(".l", code);
    const at = lines.findIndex((line) => line.classList.contains("at"));
    event.preventDefault();
    if (event.key === "Enter") openLine(lines[at]);
    else moveTo(lines[Math.min(Math.max(at + (event.key === "ArrowDown" ? 1 : -1), 0), lines.length - 1)]);
  });
}

function previousLine(element) {
  let line = element;
  while (line && !line.matches(".l")) line = line.previousElementSibling;
  return line;
}

// Below a line, a field for the comment on it; a comment that is there can be changed.
function openLine(line, text) {
  const form = document.getElementById("say-here")?.content.firstElementChild.cloneNode(true);
  if (!line || !form) return;
  all("form.here").filter((one) => one.dataset.line === line.id).forEach((one) => one.remove());
  const before = document.querySelector(`form.on-line[data-line="${line.id}"]`);
  form.dataset.line = line.id;
  form.elements.file.value = line.closest(".code").dataset.file;
  form.elements.line.value = line.querySelector(".n").textContent;
  if (before) {
    form.elements.seen.value = before.elements.seen.value;
    form.elements.comment.defaultValue = before.elements.comment.defaultValue;
    form.elements.take_back.hidden = false;
  }
  if (text !== undefined) form.elements.comment.value = text;
  let last = line;
  while (last.nextElementSibling?.matches(".remark")) last = last.nextElementSibling;
  last.after(form);
  all(".before", form).forEach(makeUsedBefore);
  form.onsubmit = (event) => {
    sendInTurn(event);
    form.dataset.sent = "yes";
    line.closest(".code").focus({ preventScroll: true });
  };
  if (text === undefined) form.elements.comment.focus();
}

// From the line that keys act on, or else about all the work.
function comment() {
  const line = document.querySelector(".code .at");
  if (line) { openLine(line); return; }
  const field = (current() ?? document).querySelector(".say textarea");
  if (!field) return;
  field.closest("details").open = true;
  field.focus();
}

function toCode() {
  const line = document.querySelector(".code .at") ?? document.querySelector(".code .l:has(+ .remark)") ?? document.querySelector("details[open] > .code .l");
  if (!line) return;
  moveTo(line);
  line.closest(".code").focus({ preventScroll: true });
}

// The next failed test, with the form to decide its verdict.
function verdict() {
  const list = all(".verdict");
  const next = list[list.indexOf(document.activeElement?.closest(".verdict")) + 1] ?? list[0];
  if (!next) return;
  for (let around = next; around; around = around.parentElement?.closest("details")) {
    if (around.matches("details")) around.open = true;
  }
  next.querySelector("select, button").focus();
  next.scrollIntoView({ block: "center" });
}

function answer() {
  const field = (current()?.querySelector("[name=answer]") ?? document.querySelector(".target[data-kind=request] [name=answer]"));
  field?.focus();
  field?.scrollIntoView({ block: "nearest" });
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
  if (here().live === "student" && !button.matches("[data-key=u]")) goOn(target);
}

// Who has decided goes on to what is not decided yet.
function goOn(from) {
  decided.add(from.id);
  const list = targets();
  const at = list.indexOf(from);
  const next = [...list.slice(at + 1), ...list.slice(0, at)].find((one) => one.classList.contains("open") && !decided.has(one.id));
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
const decided = new Set();

// After h, a digit means half a point more.
let half = false;
function pressDigit(digit) {
  press(`[data-key="${half ? "h" : ""}${digit}"]`);
  half = false;
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
  h: () => { half = true; },
  u: () => { decided.delete(current()?.id); press("[data-key=u]"); },
  c: () => press("[data-key=c]"),
  w: () => press("[data-key=w]"),
  e: () => (current() ?? targets()[0])?.querySelector(".exact input:not([type=hidden])")?.focus(),
  n: () => go(here().next),
  p: () => go(here().previous),
  t: () => go(here().waiting ?? (document.querySelector(".target.open") ? undefined : here().class)),
  m: comment,
  l: toCode,
  v: verdict,
  a: answer,
  "/": () => document.querySelector("[data-does=find] input")?.focus(),
  g: () => go(here().class ?? "/index.html"),
  o: () => { const more = document.getElementById("more"); if (more) { more.open = !more.open; more.querySelector("summary").focus(); } },
  "?": () => document.getElementById("help")?.showModal(),
};

function writesText(element) {
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement || element?.isContentEditable
    || (element instanceof HTMLInputElement && !["checkbox", "radio", "button", "submit"].includes(element.type));
}

let acting = Promise.resolve();
function actOn(event) {
  if (leaving || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || event.repeat) return;
  if (event.key === "Escape" && writesText(event.target)) { event.target.blur(); current()?.focus(); return; }
  if (writesText(event.target) || document.querySelector("dialog[open]")) return;
  const act = /^[0-9]$/.test(event.key) ? () => pressDigit(event.key) : Object.hasOwn(KEYS, event.key) && KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  if (event.key !== "h" && !/^[0-9]$/.test(event.key)) half = false;
  // Where a decision leads to the next student, a key is meant for that one.
  if (here().live === "item") acting = acting.then(async () => { act(); await sending; });
  else act();
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
  } else if ((live === "student" || live === "item") && student in news.rows) {
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
  if (["student", "item"].includes(here().live)) target?.focus({ preventScroll: true });
  if (here().live) setTimeout(keepLooking, SECONDS * 1000);
});
