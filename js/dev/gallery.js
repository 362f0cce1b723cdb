// Mounts the built card with a fake model for each golden ask and state; what it sends is kept in `window.sent`.
import factory from "../../nbask/static/card.js";

const SETTLED = 350;
const NOW = Date.now();
const query = new URLSearchParams(location.search);
document.body.dataset.jpThemeLight = String(query.get("theme") !== "dark");
document.body.dataset.host = query.get("host") ?? "";
window.sent = [];
window.models = {};
window.ends = {};

const read = async (name) => (await fetch(`../../tests/wire/${name}.json`)).json();

function model(ask) {
  const state = { ask, phase: { state: "open", deadline: ask.deadline, paused_until: null }, draft: null };
  const heard = new Set();
  const emit = (event, ...payload) => {
    for (const [name, callback] of [...heard]) if (name === event) callback(...payload);
  };
  return {
    get: (name) => state[name],
    set: (name, value) => {
      state[name] = value;
      emit(`change:${name}`);
    },
    save_changes() {},
    send: (message) => window.sent.push(message),
    on: (event, callback) => heard.add([event, callback]),
    off(event, callback) {
      for (const pair of heard) if (pair[0] === event && pair[1] === callback) heard.delete(pair);
    },
    emit,
  };
}

/** What has been done to a card, step by step, to bring it into a state. */
const button = (el, name) => [...el.querySelectorAll("button")].find((it) => it.textContent === name);
const press = (name) => (el) => button(el, name).click();
const pick = (at) => (el) => el.querySelectorAll(".nbask-opt > input")[at].click();
const type = (selector, text) => (el) => {
  const field = el.querySelector(selector);
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
};
const key = (key) => (el) => {
  el.firstElementChild.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
};
const refused = (given) => (_el, of, ask) => {
  const base = { type: "refused", ask: ask.id, code: "invalid", message: "Something is missing or does not fit." };
  of.emit("msg:custom", { ...base, errors: {}, ...given });
};

const STATES = {
  choice: ["choice", []],
  "choice-previews": ["choice-previews", []],
  "choice-previews-frame": ["choice-previews", [pick(2)]],
  many: ["many", []],
  "many-picked": ["many", [pick(0), pick(1), type(".nbask-other .nbask-in", "clock drift over 2 s")]],
  confirm: ["confirm", []],
  danger: ["danger", []],
  text: ["text", []],
  several: ["several", []],
  review: ["several", [pick(0), press("Next"), pick(0), pick(1), press("Next"), press("Review")]],
  form: ["form", []],
  "form-errors": ["form", [type("[inputmode=numeric]", "42abc"), press("Send to weather-server")]],
  filter: ["form", [type(".nbask-filter .nbask-in", "is")]],
  url: ["url", []],
  "url-refused": ["url", [], (ask) => Object.assign(ask.questions[0], { url: "javascript:alert(1)", warnings: [] })],
  plan: ["plan", []],
  "plan-change": ["plan", [type(".nbask-other .nbask-in", "Split by month instead")]],
  paused: ["text", [(_el, of) => of.set("phase", { state: "open", deadline: NOW + 452_000, paused_until: NOW + 200_000 })]],
  "time-up": ["text", [(_el, of) => of.set("phase", { state: "open", deadline: NOW - 1, paused_until: null })]],
  error: ["choice", [press("Submit")]],
  general: ["choice", [pick(0), press("Submit"), refused({ errors: { "": "The two dates are the wrong way round." } })]],
  late: ["choice", [pick(0), press("Submit"), refused({ code: "late", message: "This question has already ended." })]],
  sending: ["choice", [pick(0), press("Submit")]],
  stalled: ["choice", [pick(1), press("Submit")]],
  gone: ["choice", [type(".nbask-other .nbask-in", "DuckDB"), (_el, of) => of.emit("comm_live_update")]],
  discuss: ["choice", [press("Discuss first")]],
  leave: ["choice", [pick(1), key("Escape")]],
  keys: ["several", [key("?")]],
  unknown: ["text", [], (ask) => Object.assign(ask.questions[0], { kind: "hologram" })],
  ended: ["choice", [async (_el, of) => of.set("phase", await read("phase-ended"))]],
};

const wait = (time) => new Promise((done) => setTimeout(done, time));

for (const name of query.get("state")?.split(",") ?? Object.keys(STATES)) {
  const [golden, steps, change] = STATES[name];
  const ask = await read(`ask-${golden}`);
  if (ask.deadline !== null) ask.deadline += NOW - 42_000 - ask.opened;
  ask.opened = NOW - 42_000;
  change?.(ask);
  const el = document.createElement("section");
  el.id = name;
  document.body.append(el);
  window.models[name] = model(ask);
  window.ends[name] = factory().render({ model: window.models[name], el });
  if (steps.length > 0) await wait(SETTLED);
  for (const step of steps) await step(el, window.models[name], ask);
}
window.states = Object.keys(STATES);
// A kernel that says nothing for ten seconds is said to be silent.
await wait(window.models.stalled ? 11_000 : 1100);
window.ready = true;
