import { vi } from 'vitest';
import { parseOwnJson } from '../../src/lib/json.ts';
import type { Notification } from '../../src/outbox/notify/post.ts';

/** The outside's answer to one call. */
export type Answer = () => Response | Promise<Response>;

/** The address at which accounts of the tests notify their owner. `{secret}` stands for the secret. */
export const OWNER_URL = 'https://owner.example/in/{secret}';

/** The notifications that the owner got, in order, with the address that it came to. */
export const reported: { readonly url: string; readonly notice: Notification }[] = [];

/** The answer of the owner's channel: it takes everything, until a test says otherwise. */
export const channel: { answer: Answer } = { answer: () => new Response('ok') };

const scripted = new Map<string, Answer[]>();

/**
 * Sets the gateway's answers to the next calls for a receiver, in place of the simulator, whose script all files share.
 */
export function gatewayAnswers(phone: string, ...answers: readonly Answer[]): void {
  scripted.set(phone, [...answers]);
}

export const status =
  (code: number): Answer =>
  () =>
    new Response('{}', { status: code });

export const refusal: Answer = () => Response.json({ success: false, message: 'no' });

/** Stands in front of the relay's own fetch. To be called before the first object of a file is made. */
export function watchOutside(): void {
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const body = typeof init?.body === 'string' ? init.body : '';
    if (url.startsWith('https://owner.example/')) {
      reported.push({ url, notice: parseOwnJson<Notification>(body) });
      return Promise.resolve(channel.answer());
    }
    const phone = url.includes('/api/') ? new URLSearchParams(body).get('phone') : null;
    const answer = scripted.get(phone ?? '')?.shift();
    return answer === undefined ? real(input, init) : Promise.resolve(answer());
  });
}

export { eventually } from '../eventually.ts';
