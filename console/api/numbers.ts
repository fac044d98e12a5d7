import { post, Refused } from './client.ts';
import type { PreviewAnswer } from './types.ts';

/** Numbers as a person writes them. */
export type Numbers =
  { readonly ok: true; readonly digits: readonly string[] } | { readonly ok: false; readonly error: string };

/** Between commas, semicolons or lines. */
export const splitNumbers = (text: string): readonly string[] =>
  text
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

/**
 * The gateway's digits of numbers as people write them, each national in `country` or international. The plans of all
 * countries' numbers are the relay's, and too large for a page: it is asked what a source there would make of them.
 * `error` is in its own words.
 */
export async function readNumbers(written: readonly string[], country: string): Promise<Numbers> {
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
export const shortReason = (reason: string): string => reason.replace(/^.*?: phone: /, '');
