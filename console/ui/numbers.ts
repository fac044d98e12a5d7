import { useEffect, useState } from 'preact/hooks';
import { preview } from '../api/client.ts';
import { useLoad } from '../lib/load.ts';
import { relayText } from '../texts/relay-texts.ts';
import { useSettled } from './form.tsx';

/** The relay's reading of numbers while they are typed, between commas, semicolons or lines. */
export function useNumbers(text: string, country: string) {
  const written = text
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const asked = JSON.stringify([written, country]);
  const settled = useSettled(asked, 350);
  const { value, error, isLoading } = useLoad(`numbers ${settled}`, () => readNumbers(written, country));
  return { digits: value ?? [], error, isReading: isLoading || settled !== asked };
}

export type ReadNumbers = ReturnType<typeof useNumbers>;

/** Does `work` once numbers are read, so that a click that comes before is not lost; not if `typed` was changed since. */
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

/**
 * The gateway's digits of numbers as people write them, each national in `country` or international. The plans of all
 * countries' numbers are the relay's, and too large for a page: it is asked what a source there would make of them.
 * @throws with its own words.
 */
async function readNumbers(written: readonly string[], country: string): Promise<readonly string[]> {
  if (written.length === 0) return [];
  const answer = await preview('numbers', {
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
  // The person sees the typed text; its parameter is not of interest.
  if (failure !== undefined) throw new Error(relayText(failure.reason.replace(/^.*?: phone: /, '')));
  return route?.receivers ?? [];
}
