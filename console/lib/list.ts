import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get, type Query } from '../api/client.ts';
import type { ListPage } from '../api/types.ts';
import { keepLoaded, loadedBefore } from './back.ts';
import { wordsOf } from './load.ts';

export interface GrowingList<Item> {
  readonly items: readonly Item[];
  readonly error: string | null;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  /** The further fields of the last page, such as the range of a search. */
  readonly page: ListPage<Item> | null;
  readonly more: () => void;
  readonly again: () => void;
  /** True if it is as it was left, and may be old. */
  readonly isKept: boolean;
  /** Changes the shown items before the server confirms it. The next load replaces them. */
  readonly patch: (change: (items: readonly Item[]) => readonly Item[]) => void;
}

/** The list at `path` with this query, page by page, each item once. */
export function useList<Item extends object>(
  path: string,
  query: Query,
  keyOf: (item: Item) => unknown = idOf,
): GrowingList<Item> {
  const key = JSON.stringify([path, query]);
  const kept = `list ${key}`;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what this very hook kept
  const [before] = useState(() => loadedBefore(kept) as State<Item> | undefined);
  const [state, setState] = useState<State<Item>>(() =>
    before === undefined ? emptyState() : { ...before, isLoading: false },
  );
  const [turn, setTurn] = useState(0);
  const running = useRef<AbortController | null>(null);
  const latest = useRef(state);
  latest.current = state;

  const load = useCallback(
    (cursor: string | null) => {
      running.current?.abort();
      const stop = new AbortController();
      running.current = stop;
      setState((old) => ({ ...old, isLoading: true, error: null }));
      get<ListPage<Item>>(
        path,
        { limit: 100, ...query, ...(cursor !== null && { cursor }) },
        stop.signal,
      ).then(
        (page) =>
          !stop.signal.aborted &&
          setState((old) => ({
            items: cursor === null ? page.items : withoutDoubles(old.items, page.items, keyOf),
            page,
            error: null,
            isLoading: false,
          })),
        (thrown: unknown) =>
          !stop.signal.aborted && setState((old) => ({ ...old, error: wordsOf(thrown), isLoading: false })),
      );
    },
    [key],
  );
  useEffect(
    () => keepLoaded(kept, () => (latest.current.page === null ? undefined : latest.current)),
    [kept],
  );
  /** The question that `state` answers already, by what was kept. */
  const answered = useRef(before === undefined ? null : key);
  useEffect(() => {
    if (answered.current !== key) setState(emptyState());
  }, [key]);
  useEffect(() => {
    if (answered.current !== key || turn > 0) load(null);
    answered.current = null;
    return () => running.current?.abort();
  }, [load, turn]);
  const more = useCallback(() => {
    const { page, isLoading, error } = latest.current;
    if (!isLoading && error === null && page !== null && page.next_cursor !== null) load(page.next_cursor);
  }, [load]);
  return {
    ...state,
    hasMore: state.page !== null && state.page.next_cursor !== null,
    more,
    again: useCallback(() => setTurn((old) => old + 1), []),
    isKept: before !== undefined,
    patch: useCallback(
      (change) =>
        setState((old) => {
          const items = change(old.items);
          return items === old.items ? old : { ...old, items };
        }),
      [],
    ),
  };
}

interface State<Item> {
  readonly items: readonly Item[];
  readonly page: ListPage<Item> | null;
  readonly error: string | null;
  readonly isLoading: boolean;
}

const emptyState = <Item>(): State<Item> => ({ items: [], page: null, error: null, isLoading: true });

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
