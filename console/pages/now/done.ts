import { useState } from 'preact/hooks';
import { isRecord, readStored, store } from '../../lib/stored.ts';

const STORED = 'hookbell.done';

/** The cards that this browser hides, each with the mark that it had: a card whose mark has grown is shown again. */
export type DoneMarks = Readonly<Record<string, unknown>>;

/** Returns the hidden cards, and a function that hides a card; without a mark, it shows the card again. */
export function useDone(): readonly [DoneMarks, (card: string, mark?: number) => void] {
  const [done, setDone] = useState<DoneMarks>(() => {
    const stored = readStored(localStorage, STORED);
    return isRecord(stored) ? stored : {};
  });
  return [
    done,
    (card, mark) => {
      const next = { ...done, [card]: mark };
      store(localStorage, STORED, next);
      setDone(next);
    },
  ];
}
