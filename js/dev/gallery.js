// Mounts the built card with a fake model for each golden ask; what it sends is kept in `window.sent`.
import factory from "../../nbask/static/card.js";

const ASKS = ["choice", "choice-previews", "many", "confirm", "text", "several"];
const query = new URLSearchParams(location.search);
document.body.dataset.jpThemeLight = String(query.get("theme") !== "dark");
document.body.dataset.host = query.get("host") ?? "";
window.sent = [];
window.models = {};

function model(ask) {
  const state = { ask, phase: { state: "open" }, draft: null };
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

for (const name of (query.get("ask") ?? ASKS.join()).split(",")) {
  const ask = await (await fetch(`../../tests/wire/ask-${name}.json`)).json();
  const now = Date.now();
  if (ask.deadline !== null) ask.deadline += now - 42_000 - ask.opened;
  ask.opened = now - 42_000;
  const el = document.createElement("section");
  el.id = name;
  document.body.append(el);
  window.models[name] = model(ask);
  factory().render({ model: window.models[name], el });
}
window.ready = true;
