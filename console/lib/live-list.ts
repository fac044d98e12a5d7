import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get, type Query } from '../api/client.ts';
import type { Frame, ListPage } from '../api/types.ts';
import { useList, type GrowingList } from './list.ts';
import { useLive, type LiveState } from './live.ts';
import { mergeNewest, withFresh } from './merge-list.ts';

interface LiveListOptions<Item> {
  readonly isOn: boolean;
  /** True if what happened may have changed the list. */
  readonly concerns: (frame: Frame) => boolean;
  /** An item as it is after what happened, to it or to another: rows below the newest page are not loaded again. */
  readonly after?: (item: Item, frame: Frame) => Item;
  /** The time when an item came, as ISO 8601 in UTC. */
  readonly timeOf: (item: Item) => string;
}

export interface LiveList<Item> extends GrowingList<Item> {
  readonly live: LiveState;
  /** New items that are not shown yet, so that nothing moves while somebody reads. */
  readonly held: number;
  readonly isHeldMore: boolean;
  readonly showHeld: () => void;
}

const PAGE = 100;

/** A list whose newest rows come by themselves. Frames say that something happened; the rows are the API's. */
export function useLiveList<Item extends { readonly id: string }>(
  path: string,
  query: Query,
  options: LiveListOptions<Item>,
): LiveList<Item> {
  const list = useList<Item>(path, query);
  const key = JSON.stringify([path, query]);
  const [held, setHeld] = useState<Held<Item>>(NONE);
  const current = useRef({ key, list, held, options });
  current.current = { key, list, held, options };

  const renew = async (): Promise<void> => {
    const page = await get<ListPage<Item>>(path, { limit: PAGE, ...query });
    // The filters have changed, so this is no longer their newest page.
    if (current.current.key !== key) return;
    const { list, options } = current.current;
    const { same, fresh, hasGap } = mergeNewest(list.items, page.items, page.next_cursor !== null);
    if (isBeingRead()) {
      list.patch(() => same);
      setHeld({ items: fresh, hasGap });
    } else if (hasGap) list.again();
    else list.patch(() => withFresh(same, fresh, options.timeOf));
  };

  const showHeld = useCallback(() => {
    const { list, held, options } = current.current;
    if (held.items.length === 0) return;
    setHeld(NONE);
    if (held.hasGap) list.again();
    else list.patch((items) => withFresh(items, held.items, options.timeOf));
  }, []);

  useEffect(() => setHeld(NONE), [key]);
  const { isOn } = options;
  useEffect(() => {
    if (!isOn) return undefined;
    const look = (): void => {
      if (!isBeingRead()) showHeld();
    };
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, [isOn, showHeld]);

  // The next news repair a failure.
  const renewSoon = (): void => void renew().catch(() => undefined);
  useEffect(() => {
    if (list.isKept) renewSoon();
  }, []);

  const live = useLive(isOn, (news) => {
    const { concerns, after } = options;
    if (news !== null && !news.some(concerns)) return;
    if (after !== undefined) list.patch((items) => items.map((item) => (news ?? []).reduce(after, item)));
    renewSoon();
  });
  const show = (): void => {
    scrollTo(0, 0);
    showHeld();
  };
  return { ...list, live, held: held.items.length, isHeldMore: held.hasGap, showHeld: show };
}

interface Held<Item> {
  readonly items: readonly Item[];
  readonly hasGap: boolean;
}

const NONE = { items: [], hasGap: false };

/** True if rows that are put on top would move what somebody reads, or what the keyboard is on. */
const isBeingRead = (): boolean =>
  scrollY > 120 ||
  (document.activeElement?.closest('.rows, dialog') !== null && document.activeElement !== null);
