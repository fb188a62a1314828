import { get } from "./turns.script.js";

/** Long enough that a word that is being typed is asked for once. */
const pause = 120;

/** Opens the palette in place of the page, and asks as a person types. */
export function listenForWords() {
  const palette = /** @type {HTMLDialogElement | null} */ (document.getElementById("palette"));
  const form = palette?.querySelector("form");
  const found = document.getElementById("found");
  if (!palette || !form || !found) return;
  document.querySelector(".find")?.addEventListener("click", (event) => {
    event.preventDefault();
    palette.showModal();
  });
  let asked = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const ask = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      asked.abort();
      asked = new AbortController();
      const { signal } = asked;
      const query = new URLSearchParams(/** @type {any} */ (new FormData(form)));
      query.set("only", "hits");
      found.setAttribute("aria-busy", "true");
      const text = await get(`/search?${query}`, signal).catch((error) =>
        signal.aborted ? undefined : `${error.message}`,
      );
      if (text === undefined) return;
      found.innerHTML = text;
      found.removeAttribute("aria-busy");
    }, pause);
  };
  form.addEventListener("input", ask);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    firstHit(found)?.click();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    firstHit(found)?.focus();
  });
  found.addEventListener("keydown", (event) => walk(event, found, form));
}

/** @param {HTMLElement} found */
const firstHit = (found) => /** @type {HTMLAnchorElement | null} */ (found.querySelector("a.hit"));

/** @param {KeyboardEvent} event @param {HTMLElement} found @param {HTMLFormElement} form */
function walk(event, found, form) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const hits = [...found.querySelectorAll("a.hit")];
  const next = hits[hits.indexOf(/** @type {Element} */ (document.activeElement)) + by];
  /** @type {HTMLElement | null | undefined} */ (next ?? form.querySelector("input"))?.focus();
}
