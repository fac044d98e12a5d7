/** A page as somebody left it, so that it is the same when they come back. */
interface Left {
  readonly scroll: number;
  /** The address of the link that had the focus; null: something else had it. */
  readonly focus: string | null;
  /** The answers that the page had, by the question. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** Pages that are kept; of lists all that was loaded. */
const MAX_KEPT = 8;

const kept = new Map<string, Left>();
/** The questions of the page that is shown, each with its answer so far. */
const sayers = new Map<string, () => unknown>();
/** The page that somebody came back to; null: they went on to this page. */
let found: Left | null = null;

const addressNow = (): string => location.pathname + location.search;
/** The address of what is shown: while a page is left, the browser may have the next one's. */
let shown = '';

export function leave(): void {
  const link = document.activeElement?.closest('main a[href]');
  kept.delete(shown);
  kept.set(shown, {
    scroll: scrollY,
    focus: link?.getAttribute('href') ?? null,
    values: new Map([...sayers].map(([key, say]) => [key, say()])),
  });
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

/** Says that another page is shown. `isBack`: somebody came back to it. */
export function arrive(isBack: boolean): void {
  shown = addressNow();
  found = isBack ? (kept.get(shown) ?? null) : null;
}

/** The answer that this page had to a question when it was left; undefined: nobody came back to it. */
export const loadedBefore = (key: string): unknown => found?.values.get(key);

/** Asks `say` for the current answer to a question when the page is left. Returns a function that ends this. */
export function keepLoaded(key: string, say: () => unknown): () => void {
  sayers.set(key, say);
  return () => {
    if (sayers.get(key) === say) sayers.delete(key);
  };
}

/** Whoever signs in next sees nothing of it. */
export function forgetPages(): void {
  kept.clear();
  found = null;
}

/** Frames in which a page may come to its old height. */
const MAX_FRAMES = 60;

/** Scrolls to where the page was left, and puts the focus back. To be called once it is drawn. */
export function restorePlace(): void {
  const left = found;
  found = null;
  if (left === null) return;
  const look = (frames: number): void => {
    // Somebody has gone on, or scrolls.
    if (shown !== addressNow() || frames === 0) return;
    const isHigh = document.documentElement.scrollHeight >= left.scroll + innerHeight;
    if (isHigh && scrollY !== left.scroll) scrollTo(0, left.scroll);
    const link = [...document.querySelectorAll<HTMLElement>('main a[href]')].find(
      (one) => one.getAttribute('href') === left.focus,
    );
    link?.focus({ preventScroll: true });
    if (!isHigh || (left.focus !== null && link === undefined)) requestAnimationFrame(() => look(frames - 1));
  };
  look(MAX_FRAMES);
}
