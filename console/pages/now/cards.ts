import { useState, useEffect, useRef } from 'preact/hooks';
import { readStored, store } from '../../lib/stored.ts';

const STORED = 'hookbell.done';

/** The cards that this browser hides, each with the mark that it had: a card whose mark has grown is shown again. */
export type DoneMarks = Readonly<Record<string, number | undefined>>;

/** Returns the hidden cards, and a function that hides a card; without a mark, it shows the card again. */
export function useDone(): readonly [DoneMarks, (card: string, mark?: number) => void] {
  const [done, setDone] = useState(() => readStored<DoneMarks>(localStorage, STORED) ?? {});
  return [
    done,
    (card, mark) => {
      const next = { ...done, [card]: mark };
      store(localStorage, STORED, next);
      setDone(next);
    },
  ];
}

/** Nothing moves for this time after somebody has touched the list (ms): a second tap is meant for what was there. */
const STILL_MS = 3_000;

interface Keyed {
  readonly card: string;
}

/** A list whose rows stay where they are while somebody's finger is on it: each old one in its place, new ones behind. */
export function useStill<Item extends Keyed>(fresh: readonly Item[]) {
  const shown = useRef(fresh);
  const touchedAt = useRef(0);
  const [, setTurn] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const touch = (): void => {
    touchedAt.current = Date.now();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTurn((old) => old + 1), STILL_MS + 50);
  };
  const byCard = new Map(fresh.map((one) => [one.card, one]));
  const isStill = Date.now() - touchedAt.current < STILL_MS;
  const kept = isStill ? shown.current.map((one) => byCard.get(one.card) ?? one) : fresh;
  const known = new Set(kept.map(({ card }) => card));
  shown.current = [...kept, ...fresh.filter(({ card }) => !known.has(card))];
  return { items: shown.current, isGone: ({ card }: Item): boolean => !byCard.has(card), touch };
}
