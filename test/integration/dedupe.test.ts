import { env } from 'cloudflare:workers';
import { createExecutionContext } from 'cloudflare:test';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { app } from '../../src/app.ts';
import type { Acceptance, Receipt } from '../../src/outbox/state/acceptance.ts';
import { envWith } from '../platform/env.ts';
import { problemIn } from './problems.ts';
import { callsTo, event, isSent, message, postJson, publish } from './relay.ts';

/** Numbers that no other test uses. */
const PHONES = { hook: '491713920201', key: '491713920202', none: '491713920203', fault: '491713920204' };

const OPEN = { verify: { scheme: 'none' } };
const routes = (to: string) => [{ name: 'r', to, send: { kind: 'text', message: 'no {{ payload.n }}' } }];

beforeAll(() =>
  publish({
    sources: {
      hook: { ...OPEN, provider: 'github', routes: routes(PHONES.hook) },
      key: { ...OPEN, dedupe: { key: '{{ payload.order }}' }, routes: routes(PHONES.key) },
      none: { ...OPEN, routes: routes(PHONES.none) },
      fault: { ...OPEN, dedupe: { key: '{{ payload.order }}' }, routes: routes(PHONES.fault) },
    },
  }),
);

interface Answer {
  readonly event: string;
  readonly duplicate: boolean;
  readonly messages: readonly string[];
}

async function take(source: string, payload: object, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await postJson(source, payload, headers);
  expect(response.status).toBe(202);
  return response.json<Answer>();
}

/** The number of messages that really went out, once the last message of these answers is sent. */
async function sentTo(phone: string, ...answers: readonly Answer[]): Promise<number> {
  await Promise.all(answers.flatMap(({ messages }) => messages.map((id) => message(id, isSent))));
  return (await callsTo(phone)).length;
}

describe('a webhook that comes twice', () => {
  it('by its provider’s id is one event: the second answer is the first, and nothing is sent', async () => {
    const headers = { 'x-github-event': 'push', 'x-github-delivery': 'd-1' };
    const first = await take('hook', { n: 1 }, headers);
    const second = await take('hook', { n: 2 }, headers);
    expect(second).toEqual({ ...first, duplicate: true });
    expect(await sentTo(PHONES.hook, first, second)).toBe(1);
    expect((await event(first.event)).duplicates).toBe(1);
  });

  it('by its source’s own key is one event, and another key another', async () => {
    const first = await take('key', { order: 7, n: 1 });
    const again = await take('key', { order: 7, n: 2 });
    const other = await take('key', { order: 8, n: 3 });
    expect([again.event === first.event, again.duplicate, other.duplicate]).toEqual([true, true, false]);
    expect(await sentTo(PHONES.key, first, again, other)).toBe(2);
  });

  it('without a key is two events, and so it is where the key comes out empty', async () => {
    const answers = [
      await take('none', { n: 1 }),
      await take('none', { n: 1 }),
      await take('key', {}),
      await take('key', {}),
    ];
    expect(answers.map(({ duplicate }) => duplicate)).toEqual([false, false, false, false]);
    expect(new Set(answers.map((answer) => answer.event)).size).toBe(4);
  });

  it('to two sources is two events: keys are each source’s own', async () => {
    const first = await take('key', { order: 9 });
    const other = await take('fault', { order: 9 });
    expect([first.duplicate, other.duplicate]).toEqual([false, false]);
  });
});

/** An outbox that accepts an event and loses its answer this many times. */
function losing(answers: number, marks: object) {
  let left = answers;
  const getByName = (name: string) => ({
    async accept(taken: Acceptance): Promise<Receipt> {
      const receipt = await env.OUTBOX.getByName(name).accept(taken);
      left -= 1;
      if (left >= 0) throw Object.assign(new Error('the answer was lost'), marks);
      return receipt;
    },
  });
  return envWith({ OUTBOX: { getByName } });
}

/** An outbox that takes nothing over. */
const refusing = (marks: object) =>
  envWith({
    OUTBOX: {
      getByName: () => ({ accept: () => Promise.reject(Object.assign(new Error('no'), marks)) }),
    },
  });

const ask = (bindings: typeof env, payload: object) =>
  app.fetch(
    new Request('https://relay.example/hooks/fault', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    }),
    bindings,
    createExecutionContext(),
  );

describe('an outbox that fails', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([{ retryable: true }, { overloaded: true }, { overloaded: true, retryable: true }, {}])(
    '(%j) is 503 with Retry-After; what the sender then repeats is accepted once',
    async (marks) => {
      vi.spyOn(console, 'error').mockImplementation(() => undefined);
      const payload = { order: `refused-${JSON.stringify(marks)}` };
      const refused = await ask(refusing(marks), payload);
      expect(refused.headers.get('retry-after')).toBe('5');
      const { detail } = await problemIn(refused, 503, 'not-accepted');
      expect(detail).toContain('Send it again');
      const first = await take('fault', payload);
      expect([first.duplicate, (await take('fault', payload)).event]).toEqual([false, first.event]);
    },
  );

  it('and loses its answer once is called again, and made one event of it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const response = await ask(losing(1, { retryable: true }), { order: 'lost-once' });
    expect(response.status).toBe(202);
    const answer = await response.json<Answer>();
    expect([answer.duplicate, answer.messages.length]).toEqual([false, 1]);
    expect((await event(answer.event)).duplicates).toBe(0);
  });

  it('and loses all its answers made one event of it, which the sender’s next try gets to know', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const payload = { order: 'lost-for-good' };
    await problemIn(await ask(losing(9, { retryable: true }), payload), 503, 'not-accepted');
    const answer = await take('fault', payload);
    expect([answer.duplicate, answer.messages.length]).toEqual([true, 1]);
    expect((await event(answer.event)).messages).toHaveLength(1);
  });
});
