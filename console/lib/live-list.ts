import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get, type Query } from '../api/client.ts';
import type { Frame, ListPage } from '../api/types.ts';
import { useList, type GrowingList } from './list.ts';
import { useLive, type LiveState } from './live.ts';
import { afterAll, mergeNewest, withFresh } from './merge-list.ts';
import { useSoon } from './soon.ts';

interface LiveListOptions<Item> {
  readonly isOn: boolean;
  /** True if what happened may have changed the list. */
  readonly concerns: (frame: Frame) => boolean;
  /** The id of the item that it is about; null: none. */
  readonly aboutOf: (frame: Frame) => string | null;
  /** An item as it is after what happened to it. */
  readonly after: (item: Item, frame: Frame) => Item;
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
/** Frames that come within this time are shown together: in a storm, each alone would go through all rows. */
const GATHER_MS = 50;

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

  const renew = useCallback(async (): Promise<void> => {
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
  }, [key]);

  const soon = useSoon(() => {
    // Changes that come while nobody looks are loaded when somebody does. The next frame repairs a failure.
    if (document.visibilityState === 'visible') renew().catch(() => undefined);
  });

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
    const seen = (): void => {
      if (document.visibilityState === 'visible') soon();
    };
    addEventListener('scroll', look, { passive: true });
    document.addEventListener('visibilitychange', seen);
    return () => {
      removeEventListener('scroll', look);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [isOn, showHeld, soon]);

  useEffect(() => {
    if (list.isKept) soon();
  }, []);

  const gathered = useRef<Frame[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const gather = (frame: Frame): void => {
    gathered.current.push(frame);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const frames = gathered.current;
      gathered.current = [];
      const { list, options } = current.current;
      list.patch((items) => afterAll(items, frames, options.aboutOf, options.after));
    }, GATHER_MS);
  };

  const live = useLive(isOn, (frame) => {
    if (frame !== null && !current.current.options.concerns(frame)) return;
    if (frame !== null) gather(frame);
    soon();
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
