import { loadBeside } from "./turns.script.js";

/** Where `g` and a letter go, and what other keys do. */
const places = /** @type {Record<string, () => void>} */ ({
  g: () => inTurn(() => jump("first")),
  p: () => go("/"),
  t: () => go(document.body.dataset.project ? `/projects/${document.body.dataset.project}` : undefined),
  c: () => go(tab("c")),
  w: () => go(tab("w")),
  f: () => go(tab("f")),
});

const actions = /** @type {Record<string, () => void>} */ ({
  j: () => inTurn(() => step(1)),
  k: () => inTurn(() => step(-1)),
  G: () => inTurn(() => jump("last")),
  "/": () => dialog("palette").showModal(),
  "?": () => dialog("help").showModal(),
  e: () => current()?.querySelector("summary")?.click(),
  Enter: () => open(),
  o: () => open(),
  Escape: () => /** @type {HTMLElement | null} */ (document.activeElement)?.blur(),
});

let isGoing = false;
let last = Promise.resolve();

/** A step may have to wait for turns to come: the next one starts from where it leads. @param {() => Promise<void>} act */
function inTurn(act) {
  last = last.then(act);
}

/** Listens for the keys that the help names, wherever nobody is writing. */
export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
    const action = (isGoing ? places : actions)[event.key];
    if (event.key === "Enter" && isNatural(event.target)) return;
    isGoing = !isGoing && event.key === "g" && openDialog() === null;
    if (isGoing) return event.preventDefault();
    if (!action || (openDialog() && !["j", "k"].includes(event.key))) return;
    event.preventDefault();
    action();
  });
  document.querySelector(".keys")?.addEventListener("click", () => dialog("help").showModal());
  for (const one of document.querySelectorAll("dialog"))
    one.addEventListener("click", (event) => event.target === one && one.close());
}

const dialog = (/** @type {string} */ id) => /** @type {HTMLDialogElement} */ (document.getElementById(id));
const openDialog = () => /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog[open]"));

/** @param {EventTarget | null} target */
const isWriting = (target) => target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
/** @param {EventTarget | null} target */
const isNatural = (target) => target instanceof HTMLElement && target.closest("a, button, summary") !== null;

/** @param {string | undefined} href */
function go(href) {
  if (href !== undefined) location.assign(href);
}

/** @param {string} key */
const tab = (key) => document.querySelector(`.tabs [data-key="${key}"]`)?.getAttribute("href") ?? undefined;

const items = () =>
  [
    ...(openDialog() ?? document.querySelector("main") ?? document).querySelectorAll("[data-item], article.turn"),
  ].filter(isShown);
/** @param {Element} element @returns {element is HTMLElement} */
const isShown = (element) => element instanceof HTMLElement && element.checkVisibility();

/** The item that has the focus, else the first whose head is on the screen. */
function current() {
  const focused = document.activeElement?.closest("[data-item], article.turn");
  if (focused instanceof HTMLElement) return focused;
  return document.activeElement === document.body && !openDialog()
    ? items().findLast((item) => item.getBoundingClientRect().top < 120 && item.getBoundingClientRect().bottom > 0)
    : undefined;
}

/** @param {1 | -1} by */
async function step(by) {
  const at = current();
  if (at && (await loadBeside(at, by))) await new Promise(requestAnimationFrame);
  const all = items();
  const next = at ? all[all.indexOf(at) + by] : all[by === 1 ? 0 : all.length - 1];
  if (next) show(next);
}

/** @param {"first" | "last"} which */
async function jump(which) {
  const stretch = document.querySelector(`.stretch:${which}-child`);
  if (stretch instanceof HTMLElement) await loadBeside(stretch, 0);
  const next = which === "first" ? items()[0] : items().at(-1);
  if (next) show(next);
}

/** @param {HTMLElement} item */
function show(item) {
  if (!(item instanceof HTMLAnchorElement)) item.tabIndex = -1;
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: item.matches("article, .part") ? "start" : "nearest" });
}

function open() {
  const at = current();
  if (at instanceof HTMLAnchorElement) at.click();
}
