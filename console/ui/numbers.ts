import { useEffect, useState } from 'preact/hooks';
import { post, Refused } from '../api/client.ts';
import type { PreviewAnswer } from '../api/types.ts';
import { wordsOf } from '../lib/load.ts';
import { relayText } from '../texts/relay-texts.ts';
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
        (numbers) => (numbers.ok ? set(numbers.digits, null) : set([], relayText(numbers.error))),
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

/** Numbers as a person writes them. */
type Numbers =
  { readonly ok: true; readonly digits: readonly string[] } | { readonly ok: false; readonly error: string };

/** Between commas, semicolons or lines. */
const splitNumbers = (text: string): readonly string[] =>
  text
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

/**
 * The gateway's digits of numbers as people write them, each national in `country` or international. The plans of all
 * countries' numbers are the relay's, and too large for a page: it is asked what a source there would make of them.
 * `error` is in its own words.
 */
async function readNumbers(written: readonly string[], country: string): Promise<Numbers> {
  try {
    const answer = await post<PreviewAnswer>('/sources/numbers/preview', {
      payload: { numbers: written },
      draft: {
        provider: 'generic',
        verify: { scheme: 'none' },
        ...(country !== '' && { country }),
        routes: [
          {
            name: 'numbers',
            to: written.map((_, at) => `{{ payload.numbers[${at}] | phone }}`),
            send: { kind: 'text', message: '-' },
          },
        ],
      },
    });
    const route = 'routes' in answer ? answer.routes[0] : undefined;
    const failure = route?.failures[0];
    if (failure !== undefined) return { ok: false, error: shortReason(failure.reason) };
    return { ok: true, digits: route?.receivers ?? [] };
  } catch (thrown) {
    if (thrown instanceof Refused) return { ok: false, error: thrown.message };
    throw thrown;
  }
}

/** The person sees the typed text; its parameter is not of interest. */
const shortReason = (reason: string): string => reason.replace(/^.*?: phone: /, '');
