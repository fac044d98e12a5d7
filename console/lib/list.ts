import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get, type Query } from '../api/client.ts';
import type { Frame, ListPage } from '../api/types.ts';
import { useLive } from './live.ts';
import { wordsOf } from './load.ts';
import { keepLoaded, loadedBefore } from './router.ts';

type AnyPage = ListPage<object>;
type ItemOf<Page extends AnyPage> = Page['items'][number];

interface State<Page extends AnyPage> {
  readonly items: readonly ItemOf<Page>[];
  /** The last page, with its further fields, such as the range of a search. */
  readonly page: Page | null;
  readonly error: string | null;
  readonly isLoading: boolean;
}

const EMPTY = { items: [], page: null, error: null, isLoading: true };
const PAGE = 100;

export function useList<Page extends AnyPage>(
  path: string,
  query: Query,
  keyOf: (item: ItemOf<Page>) => unknown = idOf,
) {
  const key = JSON.stringify([path, query]);
  const kept = `list ${key}`;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what this very hook kept
  const [before] = useState(() => loadedBefore(kept) as State<Page> | undefined);
  const [state, setState] = useState<State<Page>>(before ? { ...before, isLoading: false } : EMPTY);
  const running = useRef<AbortController | null>(null);
  const load = (cursor: string | null): void => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    const show = (change: (old: State<Page>) => Partial<State<Page>>): void => {
      if (!stop.signal.aborted) setState((old) => ({ ...old, isLoading: false, ...change(old) }));
    };
    setState((old) => ({ ...old, isLoading: true, error: null }));
    get<Page>(path, { limit: PAGE, ...query, cursor }, stop.signal).then(
      (page) =>
        show(({ items }) => ({ page, items: withoutDoubles(cursor ? items : [], page.items, keyOf) })),
      (thrown: unknown) => show(() => ({ error: wordsOf(thrown) })),
    );
  };
  /** Whoever waited for an answer asks again for what is looked at by then. */
  const latest = useRef({ state, load });
  latest.current = { state, load };
  useEffect(
    () => keepLoaded(kept, () => (latest.current.state.page === null ? undefined : latest.current.state)),
    [kept],
  );
  /** The question that `state` answers already, by what was kept. */
  const answered = useRef(before === undefined ? null : key);
  useEffect(() => {
    if (answered.current !== key) {
      setState(EMPTY);
      load(null);
    }
    answered.current = null;
    return () => running.current?.abort();
  }, [key]);
  return {
    ...state,
    hasMore: state.page !== null && state.page.next_cursor !== null,
    // The same for a question: rows ask for more when this changes, so a page that brought no row would bring the next.
    more: useCallback((): void => {
      const { page, isLoading, error } = latest.current.state;
      if (!isLoading && error === null && page !== null && page.next_cursor !== null)
        latest.current.load(page.next_cursor);
    }, [key]),
    again: (): void => latest.current.load(null),
    /** True if it is as it was left, and may be old. */
    isKept: before !== undefined,
    /** Shows the newest page, which was asked for elsewhere, in the place of all that is loaded. */
    replace: (page: Page): void => {
      running.current?.abort();
      setState({ items: page.items, page, error: null, isLoading: false });
    },
    /** Changes the shown items before the server confirms it. The next load replaces them. */
    patch: (change: (items: readonly ItemOf<Page>[]) => readonly ItemOf<Page>[]): void =>
      setState((old) => ({ ...old, items: change(old.items) })),
  };
}

const idOf = (item: object): unknown => ('id' in item ? item.id : item);

/** New items shift the pages, so an item that is already there is not added again. */
function withoutDoubles<Item>(
  old: readonly Item[],
  more: readonly Item[],
  keyOf: (item: Item) => unknown,
): readonly Item[] {
  const known = new Set(old.map(keyOf));
  return [...old, ...more.filter((item) => !known.has(keyOf(item)))];
}

type Row = { readonly id: string };

/**
 * A list whose newest rows come by themselves. Frames say that something happened; the rows are the API's. `held` is the
 * number of new ones that are not shown yet, so that nothing moves while somebody reads. `after`: an item as it is after
 * what happened, to it or to another: rows below the newest page are not loaded again.
 */
export function useLiveList<Page extends ListPage<Row>>(
  path: string,
  query: Query,
  isOn: boolean,
  concerns: (frame: Frame) => boolean,
  after: (item: ItemOf<Page>, frame: Frame) => ItemOf<Page> = (item) => item,
) {
  const list = useList<Page>(path, query);
  const key = JSON.stringify([path, query]);
  const [held, setHeld] = useState<{ readonly page: Page; readonly count: number } | null>(null);
  const current = useRef({ key, list, held });
  current.current = { key, list, held };

  const renew = async (): Promise<void> => {
    const page = await get<Page>(path, { limit: PAGE, ...query });
    // The filters have changed, so this is no longer their newest page.
    if (current.current.key !== key) return;
    const { list } = current.current;
    const { same, fresh } = mergeNewest(list.items, page.items);
    const isRead = isBeingRead();
    if (isRead) list.patch(() => same);
    else list.replace(page);
    setHeld(isRead && fresh.length > 0 ? { page, count: fresh.length } : null);
  };
  const showHeld = (): void => {
    const { list, held } = current.current;
    if (held === null) return;
    setHeld(null);
    list.replace(held.page);
  };

  useEffect(() => setHeld(null), [key]);
  useEffect(() => {
    if (!isOn) return undefined;
    const look = (): void => {
      if (!isBeingRead()) showHeld();
    };
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, [isOn]);

  // The next news repair a failure.
  const renewSoon = (): void => void renew().catch(() => undefined);
  useEffect(() => {
    if (list.isKept) renewSoon();
  }, []);

  const live = useLive(isOn, (news) => {
    if (news !== null && !news.some(concerns)) return;
    list.patch((items) => items.map((item) => (news ?? []).reduce(after, item)));
    renewSoon();
  });
  const { count = 0, page } = held ?? {};
  return {
    ...list,
    live,
    held: count,
    // All of the newest page may be new: then there may be further ones.
    isHeldMore: page !== undefined && page.items.length === count && page.next_cursor !== null,
    showHeld: (): void => {
      scrollTo(0, 0);
      showHeld();
    },
  };
}

/** `same`: the shown items in their places, in their newest state. One that is not there any more stays: somebody reads it. */
export function mergeNewest<Item extends Row>(shown: readonly Item[], newest: readonly Item[]) {
  const byId = new Map(newest.map((item) => [item.id, item]));
  const known = new Set(shown.map(({ id }) => id));
  return {
    same: shown.map((item) => byId.get(item.id) ?? item),
    fresh: newest.filter(({ id }) => !known.has(id)),
  };
}

/** True if rows that are put on top would move what somebody reads, or what the keyboard is on. */
const isBeingRead = (): boolean =>
  scrollY > 120 || (document.activeElement?.closest('.rows, dialog') ?? null) !== null;
