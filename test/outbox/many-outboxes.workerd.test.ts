import { env } from 'cloudflare:workers';
import { createExecutionContext, runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { withManyOutboxes } from '../../src/outbox/many-outboxes.ts';
import { app } from '../../src/app.ts';
import { useConfig } from '../../src/config/load.ts';
import { EMPTY_SET } from '../../src/config/schema.ts';
import { addMessage } from './bare-outbox.ts';
import { counted, TOO_MANY_CALLS } from '../platform-calls.ts';

/** The calls that the free plan allows a request. */
const LIMIT = 50;

const ACCOUNTS = Array.from({ length: 100 }, (_, number) => `account-${number}`);

/** A relay of a hundred accounts under the platform's limit; `calls` are those of the newest request. */
function limitedRelay() {
  let calls: string[] = [];
  const spend = (what: string): void => {
    calls.push(what);
    if (calls.length > LIMIT) throw new Error(TOO_MANY_CALLS);
  };
  const bindings: Env = {
    ...env,
    CONFIG: counted(env.CONFIG, spend),
    OUTBOX: counted(env.OUTBOX, spend, true),
    REGISTRY: counted(env.REGISTRY, spend, true),
  };
  const accounts = Object.fromEntries(ACCOUNTS.map((name) => [name, {}]));
  useConfig(
    bindings.CONFIG,
    { activation: 1, version: 1, set: { ...EMPTY_SET, accounts, sources: {} } },
    Date.now(),
  );
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    calls = [];
    const headers = { authorization: 'Bearer admin-token-of-the-tests' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const request = new Request(`https://relay.example${path}`, init);
    const response = await app.fetch(request, bindings, createExecutionContext());
    const answer = await response.text();
    expect(answer).not.toContain('Too many');
    expect([200, 404], answer).toContain(response.status);
    return answer.startsWith('{') ? JSON.parse(answer) : answer;
  };
  return { ask, bindings, calls: () => calls };
}

const relay = limitedRelay();
const API = '/admin/api/v1';

describe('a request over a hundred accounts, with the calls of the free plan', () => {
  beforeAll(async () => {
    for (const name of ['account-0', 'account-50', 'account-99'])
      await runInDurableObject(env.OUTBOX.getByName(name), (outbox, { storage }) => {
        outbox.pause('test', 'so that nothing is sent');
        addMessage(storage.sql, {
          seq: 1,
          state: 'dead',
          source: name,
          created_at: Date.now(),
        });
      });
  });

  it('lists the messages of all', async () => {
    const page = await relay.ask('GET', `${API}/messages?state=dead`);
    expect(page).toMatchObject({ items: [{}, {}, {}], next_cursor: null });
    expect(relay.calls().length).toBeLessThan(20);
  });

  it.each(['/events', '/events/evt_1', '/messages/msg_1', '/stats', '/doctor'])(
    'answers GET %s',
    async (path) => {
      await relay.ask('GET', `${API}${path}`);
      expect(relay.calls().length).toBeLessThanOrEqual(LIMIT);
    },
  );

  it('answers a scrape, with every account in it', async () => {
    const scrape = String(await relay.ask('GET', '/metrics'));
    for (const name of ['account-0', 'account-99'])
      expect(scrape).toMatch(
        new RegExp(`account="${name}".*state="dead".* 1$|state="dead".*account="${name}".* 1$`, 'm'),
      );
  });

  it('diagnoses by POST, too', async () => {
    await relay.ask('POST', `${API}/doctor`);
  });

  it('cancels and retries in all of them', async () => {
    expect(await relay.ask('POST', `${API}/messages/retry`, { state: 'dead' })).toEqual({
      retried: 3,
      more: false,
      next_cursor: null,
    });
  });
});

describe('calls of many outboxes', () => {
  it('fail alone, with their reasons', async () => {
    const { OUTBOX } = withManyOutboxes(env);
    const answers = await Promise.allSettled([
      ...ACCOUNTS.slice(1, 20).map((name) => OUTBOX.getByName(name).readMessage('msg_1')),
      OUTBOX.getByName('account-0').useConfig('no JSON'),
    ]);
    const failed = answers.filter(({ status }) => status === 'rejected');
    expect(failed).toHaveLength(1);
    const [only] = failed.map((one) => ('reason' in one ? String(one.reason) : ''));
    expect(only).toContain('JSON');
  });

  it('that get much get it in portions that the platform carries', async () => {
    const { bindings, calls } = limitedRelay();
    const large = 'x'.repeat(1_500_000);
    const { OUTBOX } = withManyOutboxes(bindings);
    await Promise.allSettled(ACCOUNTS.slice(0, 10).map((name) => OUTBOX.getByName(name).readMessage(large)));
    // Two fit into a portion.
    expect(calls()).toHaveLength(5);
  });
});
