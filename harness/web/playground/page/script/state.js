// ---- The input ----

const EDITIONS = JSON.parse(document.getElementById("editions").textContent);
const FIRST_EDITION = "rfc9309";

const agent = document.getElementById("agent");
const urls = document.getElementById("urls");

/** What the reader selected. */
const state = { selected: 0, edition: FIRST_EDITION };

/** What the fields contain. */
const input = () => ({
  file: fileOf(), agent: agent.value, edition: state.edition,
  urls: urls.value.split("\n").map((url) => url.trim()).filter(Boolean),
});

function setInput({ file, agent: of, urls: all, edition }) {
  setFile(file);
  agent.value = of;
  urls.value = all.join("\n");
  state.selected = 0;
  state.edition = EDITIONS.includes(edition) ? edition : FIRST_EDITION;
}

const notices = document.getElementById("notices");
const notify = (message) => notices.replaceChildren(h("p", {}, visible(message)));
