import { useEffect, useState } from 'preact/hooks';
import { readNumbers, splitNumbers } from '../api/numbers.ts';
import { wordsOf } from '../lib/load.ts';
import { said } from '../texts/said.ts';
import { useSettled } from './form.tsx';

export interface ReadNumbers {
  readonly digits: readonly string[];
  readonly error: string | null;
  /** The typed text is not read yet. */
  readonly isReading: boolean;
}

/** The relay's reading of numbers while they are typed. */
export function useNumbers(text: string, country: string): ReadNumbers {
  const asked = JSON.stringify([splitNumbers(text), country]);
  const settled = useSettled(asked, 350);
  const [read, setRead] = useState<ReadNumbers & { readonly of: string }>({
    digits: [],
    error: null,
    isReading: false,
    of: '',
  });
  useEffect(() => {
    let isCurrent = true;
    const set = (digits: readonly string[], error: string | null): void => {
      if (isCurrent) setRead({ digits, error, isReading: false, of: settled });
    };
    const written = splitNumbers(text);
    if (written.length === 0) set([], null);
    else
      readNumbers(written, country).then(
        (numbers) => (numbers.ok ? set(numbers.digits, null) : set([], said(numbers.error))),
        (thrown: unknown) => set([], wordsOf(thrown)),
      );
    return () => {
      isCurrent = false;
    };
  }, [settled]);
  return { ...read, isReading: read.of !== asked };
}

/**
 * Does `work` once numbers are read, so that a click that comes before is not lost; not if `typed` was changed since.
 * Gives whether it waits, and what asks for it.
 */
export function useOnceRead(
  isReading: boolean,
  typed: string,
  work: () => void,
): readonly [isWaiting: boolean, ask: () => void] {
  const [wanted, setWanted] = useState<string | null>(null);
  useEffect(() => {
    if (wanted === null || isReading) return;
    setWanted(null);
    if (wanted === typed) work();
  }, [wanted, isReading]);
  return [wanted !== null, () => setWanted(typed)];
}
