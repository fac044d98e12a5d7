import { useLayoutEffect, useState } from 'preact/hooks';
import { withQuery } from '../api/client.ts';

/** The path of the console. Addresses below are without it: `/events/evt_…`. */
const BASE = '/admin';

/** The address: the path below the console, and its query. Filters live there, so that a view can be sent. */
type PageAddress = { readonly path: string; readonly query: Readonly<Record<string, string>> };

const here = (): PageAddress => ({
  path: location.pathname.slice(BASE.length).replace(/\/$/, '') || '/',
  query: Object.fromEntries(new URLSearchParams(location.search)),
});

type Filters = Readonly<Record<string, string | undefined>>;

export const addressOf = (path: string, query: Filters = {}): string =>
  withQuery(`${BASE}${path === '/' ? '' : path}`, query);

const MOVED = 'hookbell:moved';

/** The number of pages of the console on the way to the shown one. */
let steps = 0;

/** Goes back to the page that led here, as it was left; where a link from elsewhere led here, to `otherwise`. */
export function goBack(otherwise: string): void {
  if (steps > 0) history.back();
  else go(otherwise);
}

export function startRouter(): void {
  history.scrollRestoration = 'manual';
  arrive(false);
  addEventListener('popstate', ({ state }: PopStateEvent) => {
    leave();
    const before: unknown = Reflect.get(Object(state), 'steps');
    steps = typeof before === 'number' ? before : 0;
    arrive(true);
    dispatchEvent(new Event(MOVED));
  });
}

/** Goes to a page. `replace`: it takes the place of this one, as a filter does while it is typed. */
export function go(path: string, query: Filters = {}, how: 'push' | 'replace' = 'push'): void {
  const address = addressOf(path, query);
  if (how === 'push') {
    leave();
    steps += 1;
    history.pushState({ steps }, '', address);
  } else history.replaceState(history.state, '', address);
  arrive(false);
  dispatchEvent(new Event(MOVED));
}

export function usePlace(): PageAddress {
  const [place, setPlace] = useState(here);
  // At once: a move that comes before it is seen would be missed.
  useLayoutEffect(() => {
    const move = (): void => setPlace(here());
    addEventListener(MOVED, move);
    return () => removeEventListener(MOVED, move);
  }, []);
  return place;
}

/** The filters in the address, and how to change some of them; an empty value takes one away. */
export function useFilters(): [PageAddress['query'], (changed: Filters) => void] {
  const { path, query } = usePlace();
  return [query, (changed) => go(path, { ...query, ...changed }, 'replace')];
}

/** Follows links inside the console without loading it again. Put on the element that holds all pages. */
export function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.hasAttribute('target') || link.hasAttribute('download')) return;
  // Not its property: that of a link in a picture (SVG) is not a text.
  const { origin, pathname, search } = new URL(link.getAttribute('href') ?? '', location.href);
  if (origin !== location.origin || !(pathname === BASE || pathname.startsWith(`${BASE}/`))) return;
  if (pathname.startsWith(`${BASE}/api/`)) return;
  event.preventDefault();
  go(pathname.slice(BASE.length) || '/', Object.fromEntries(new URLSearchParams(search)));
  scrollTo(0, 0);
}

/** The parts of a path by a pattern such as `/events/:id`; null: it is another page. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const parts = wanted.map((part, at) => [part, given[at] ?? ''] as const);
  if (!parts.every(([part, value]) => part.startsWith(':') || part === value)) return null;
  const named = parts.filter(([part]) => part.startsWith(':'));
  return Object.fromEntries(named.map(([part, value]) => [part.slice(1), decodePart(value)]));
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A page as somebody left it, so that it is the same when they come back. */
interface Left {
  readonly scroll: number;
  /** The address of the link that had the focus; null: something else had it. */
  readonly focus: string | null;
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

function leave(): void {
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

function arrive(isBack: boolean): void {
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
