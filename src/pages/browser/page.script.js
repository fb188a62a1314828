// @ts-check
// The script of an exported page: search, fold, copy a link. It asks for nothing and stores nothing.
(() => {
  const form = /** @type {HTMLFormElement} */ (document.querySelector("form.bar"));
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("words"));
  const count = /** @type {HTMLOutputElement} */ (form.elements.namedItem("found"));
  const toast = /** @type {HTMLElement} */ (document.querySelector(".toast"));
  const turns = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("article.turn")]);
  const entries = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".contents li")]);
  const days = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("section.day, section.session")]);
  /** @type {string[]} */
  const texts = [];
  /** How many hits are marked: a letter has a million. */
  const mostMarked = 3000;

  const button = (/** @type {string} */ name) => /** @type {HTMLButtonElement} */ (form.elements.namedItem(name));
  const rest = () => new Promise((resume) => setTimeout(resume));

  /** @type {Range[]} */
  let hits = [];
  let at = -1;
  let searches = 0;

  async function search() {
    const mine = ++searches;
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    let paused = performance.now();
    /** @type {boolean[]} */
    const shown = [];
    for (const [n, turn] of turns.entries()) {
      const text = texts[n] ?? (turn.textContent ?? "").toLowerCase();
      texts[n] = text;
      shown[n] = words.every((word) => text.includes(word));
      if (shown[n]) found += 1;
      if (performance.now() - paused < 12) continue;
      await rest();
      if (mine !== searches) return;
      paused = performance.now();
    }
    for (const [n, turn] of turns.entries()) {
      turn.hidden = !shown[n];
      const entry = entries[n];
      if (entry) entry.hidden = !shown[n];
    }
    for (const day of days) day.hidden = !day.querySelector("article:not([hidden])");
    count.value =
      words.length === 0
        ? ""
        : (form.dataset.found ?? "").replace("{n}", `${found}`).replace("{all}", `${turns.length}`);
    mark(words);
  }

  /** @param {string[]} words */
  function mark(words) {
    hits = [];
    at = -1;
    if (words.length > 0) {
      for (const turn of turns) {
        if (!turn.hidden && hits.length < mostMarked) collect(turn, words);
      }
    }
    for (const tools of document.querySelectorAll("details[data-hits]")) tools.removeAttribute("data-hits");
    for (const hit of hits) {
      for (const tools of foldsOf(hit)) tools.dataset.hits = `${Number(tools.dataset.hits ?? 0) + 1}`;
    }
    for (const name of ["previous", "next"]) button(name).disabled = hits.length === 0;
    paint();
  }

  /** @param {HTMLElement} turn @param {string[]} words */
  function collect(turn, words) {
    const walker = document.createTreeWalker(turn, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && hits.length < mostMarked; node = walker.nextNode()) {
      const text = (node.nodeValue ?? "").toLowerCase();
      if (text.length !== node.nodeValue?.length) continue;
      for (const word of words) {
        for (let from = text.indexOf(word); from !== -1 && hits.length < mostMarked; ) {
          const range = document.createRange();
          range.setStart(node, from);
          range.setEnd(node, from + word.length);
          hits.push(range);
          from = text.indexOf(word, from + word.length);
        }
      }
    }
  }

  /** The folded parts that a hit is in. @param {Range} hit */
  function foldsOf(hit) {
    /** @type {HTMLDetailsElement[]} */
    const folds = [];
    for (let at = hit.startContainer.parentElement; at; at = at.parentElement)
      if (at instanceof HTMLDetailsElement) folds.push(at);
    return folds;
  }

  function paint() {
    if (!("highlights" in CSS)) return;
    CSS.highlights.set("hit", new Highlight(...hits));
    const hit = hits[at];
    CSS.highlights.set("current", hit ? new Highlight(hit) : new Highlight());
  }

  /** @param {number} step */
  function go(step) {
    if (hits.length === 0) return;
    at = at === -1 ? (step > 0 ? 0 : hits.length - 1) : (at + step + hits.length) % hits.length;
    const hit = /** @type {Range} */ (hits[at]);
    for (const tools of foldsOf(hit)) tools.open = true;
    hit.startContainer.parentElement?.scrollIntoView({ block: "center" });
    paint();
  }

  /** @param {boolean} open */
  function foldAll(open) {
    const folds = /** @type {NodeListOf<HTMLDetailsElement>} */ (
      document.querySelectorAll("article:not([hidden]) details")
    );
    for (const fold of folds) fold.open = open;
  }

  /** @param {string} words */
  function say(words) {
    toast.textContent = words;
    toast.classList.add("shown");
    setTimeout(() => toast.classList.remove("shown"), 1800);
  }

  form.hidden = false;
  field.addEventListener("input", () => void search());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go(1);
  });
  button("previous").addEventListener("click", () => go(-1));
  button("unfold").addEventListener("click", () => foldAll(true));
  button("fold").addEventListener("click", () => foldAll(false));
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
      field.select();
    } else if (event.key === "Escape" && document.activeElement === field) {
      field.value = "";
      void search();
    } else if (event.key === "Enter" && event.shiftKey && document.activeElement === field) {
      event.preventDefault();
      go(-1);
    }
  });
  document.addEventListener("click", async (event) => {
    const link = /** @type {Element} */ (event.target).closest(".turn > header .time a");
    if (!(link instanceof HTMLAnchorElement) || !navigator.clipboard) return;
    await navigator.clipboard.writeText(link.href).then(
      () => say(form.dataset.copied ?? ""),
      () => undefined, // refused: the address bar has it
    );
  });
})();
