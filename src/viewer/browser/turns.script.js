/** So far outside the window, in screens, turns are fetched. */
const near = "150%";

/** Fetches stretches of turns as they come near, and tool traffic as it is unfolded; shows the turn that was asked for. */
export function fetchAsNeeded() {
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) load(/** @type {HTMLElement} */ (target));
    },
    { rootMargin: `${near} 0%` },
  );
  showAsked();
  for (const stretch of document.querySelectorAll(".stretch[data-src]")) watcher.observe(stretch);
  document.addEventListener("toggle", (event) => unfold(event.target), true);
}

/** @type {Map<Element, Promise<void>>} */
const loading = new Map();

/** Puts what an element names in `data-src` into it, once. @param {HTMLElement} element */
export function load(element) {
  const known = loading.get(element);
  if (known) return known;
  const { src } = element.dataset;
  if (src === undefined) return Promise.resolve();
  const done = fill(element, src).catch((error) => {
    loading.delete(element);
    tell(`${error instanceof Error ? error.message : error}`);
  });
  loading.set(element, done);
  return done;
}

/** @param {HTMLElement} element @param {string} src */
async function fill(element, src) {
  const text = await get(src);
  delete element.dataset.src;
  if (element.classList.contains("waiting")) element.replaceChildren();
  element.classList.remove("waiting");
  element.insertAdjacentHTML("beforeend", text);
}

/** A part of a page; words that a person can read where there is none. @param {string} address @param {AbortSignal} [signal] */
export async function get(address, signal) {
  const answer = await fetch(address, signal ? { signal } : {}).catch((error) => {
    if (error instanceof DOMException) throw error;
    throw new Error("The viewer has ended. `throughline view` starts it again.");
  });
  if (!answer.ok) throw new Error(`The viewer answered ${answer.status}.`);
  return answer.text();
}

/** Fetches the stretch that a step from an item leads into; whether it had to. @param {HTMLElement} item @param {-1 | 0 | 1} by */
export async function loadBeside(item, by) {
  const stretch = item.closest(".stretch");
  if (!stretch) return false;
  const own = [...stretch.querySelectorAll("[data-item], article.turn")];
  const isAtEdge = own.at(by === 1 ? -1 : 0) === item;
  const next = by === 0 ? stretch : by === 1 ? stretch.nextElementSibling : stretch.previousElementSibling;
  if ((by !== 0 && !isAtEdge) || !(next instanceof HTMLElement) || next.dataset.src === undefined) return false;
  await load(next);
  return true;
}

/** @param {EventTarget | null} target */
function unfold(target) {
  if (target instanceof HTMLDetailsElement && target.open && target.dataset.src !== undefined) load(target);
}

// The newest turn, or the one that a search led to.
function showAsked() {
  const turns = document.querySelector(".turns");
  if (!(turns instanceof HTMLElement) || location.hash !== "") return;
  const turn = document.getElementById(turns.dataset.show ?? "");
  turn?.scrollIntoView({ block: "start" });
  if (!turn || !new URLSearchParams(location.search).has("turn")) return;
  turn.tabIndex = -1;
  turn.focus({ preventScroll: true });
}

/** Says something in passing. @param {string} words */
export function tell(words) {
  const toast = document.querySelector(".toast");
  if (!(toast instanceof HTMLElement)) return;
  toast.textContent = words;
  toast.hidden = false;
}
