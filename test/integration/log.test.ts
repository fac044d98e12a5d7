import { beforeAll, describe, expect, it, vi } from 'vitest';
import { STAGES, type Stage } from '../../src/lib/log-stages.ts';
import { parseOwnJson } from '../../src/lib/own-json.ts';
import { eventually } from '../eventually.ts';
import {
  admin,
  isSent,
  message,
  post,
  postJson,
  publish,
  script,
  UNPACED,
  type MessageJson,
} from './relay.ts';

type Line = Readonly<Record<string, unknown>> & { readonly stage: Stage };

const lines: Line[] = [];

/** The newest line of a stage, once it is there. */
const lineOf = (stage: Stage, of: object = {}): Promise<Line> =>
  eventually(() => {
    const line = lines.findLast(
      (one) => one.stage === stage && Object.entries(of).every(([key, value]) => one[key] === value),
    );
    if (line === undefined) throw new Error(`no line ${stage} ${JSON.stringify(of)}`);
    return line;
  });

const ANY_NUMBER: unknown = expect.any(Number);

const SECRET_TEXT = 'a text that nobody but its receiver may read';
const source = (extra: object = {}) => ({
  verify: { scheme: 'none' },
  routes: [
    {
      name: 'all',
      to: '{{ payload.phone }}',
      send: { kind: 'text', message: '{{ payload.text }}' },
      ...extra,
    },
  ],
});

async function postTo(path: string, phone: string): Promise<string> {
  const response = await postJson(path, { phone: `+${phone}`, text: SECRET_TEXT });
  return (await response.json<{ messages: string[] }>()).messages[0] ?? '';
}

const inState = (state: string) => (one: MessageJson) => one.state === state;

/** A message that the gateway answers so, once it is in this state. */
async function goes(path: string, phone: string, step: object, state: string): Promise<string> {
  await script(phone, step);
  const id = await postTo(path, phone);
  await message(id, inState(state));
  return id;
}

beforeAll(async () => {
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(
      (line: unknown) => void lines.push(parseOwnJson<Line>(String(line))),
    );
  await publish({
    accounts: { default: { ...UNPACED, retry: ['100ms'], circuit: { failures: 2, probe: '200ms' } } },
    sources: {
      form: source(),
      held: source({ on_uncertain: 'hold' }),
      short: source({ expires: '1s' }),
      signed: { verify: { scheme: 'token', in: 'query', name: 'key' }, secrets: ['HOOK_SECRET'] },
    },
  });
});

describe('the log of the whole trip', () => {
  it('has a line for what came in, and one for what went out', async () => {
    const id = await postTo('form', '4915112359001');
    const { event } = await message(id, isSent);
    expect(await lineOf('config.published')).toEqual({
      stage: 'config.published',
      version: ANY_NUMBER,
      by: 'token',
    });
    expect(await lineOf('event.accepted')).toEqual({
      stage: 'event.accepted',
      event,
      source: 'form',
      account: 'default',
      state: 'routed',
      duplicate: false,
      messages: 1,
      version: ANY_NUMBER,
      duration_ms: ANY_NUMBER,
    });
    expect(await lineOf('message.sent', { message: id })).toEqual({
      stage: 'message.sent',
      message: id,
      event,
      source: 'form',
      route: 'all',
      account: 'default',
      phone: '+4915•••••01',
      attempt: 1,
      outcome: 'sent',
      status: 200,
      duration_ms: ANY_NUMBER,
      latency_ms: ANY_NUMBER,
    });
  });

  it('has a line for what was refused, without what was shown', async () => {
    await post('signed?key=not-the-secret', '{}', { 'content-type': 'application/json' });
    expect(await lineOf('event.rejected')).toEqual({
      stage: 'event.rejected',
      source: 'signed',
      status: 401,
      reason: 'mismatch',
    });
  });

  it('has a line for each way that a message may take', async () => {
    const ids: string[] = [];
    const busy = { failure: 'status', status: 429, headers: { 'retry-after': '0' } };
    ids.push(await goes('form', '4915112359002', busy, 'sent'));
    ids.push(await goes('form', '4915112359003', { failure: 'status', status: 400 }, 'dead'));
    ids.push(await goes('held', '4915112359004', { failure: 'html' }, 'uncertain'));
    expect(await lineOf('message.retrying', { message: ids[0] })).toMatchObject({
      outcome: 'busy',
      status: 429,
      wait_ms: ANY_NUMBER,
    });
    expect(await lineOf('message.dead', { message: ids[1] })).toMatchObject({
      outcome: 'rejected',
      status: 400,
    });
    expect(await lineOf('message.uncertain', { message: ids[2] })).toMatchObject({
      source: 'held',
      attempt: 1,
    });
    await admin('POST', `/messages/${ids[2]}/cancel`);
    expect(await lineOf('message.cancelled', { message: ids[2] })).toMatchObject({
      by: 'token',
      phone: '+4915•••••04',
    });
    const late = await goes(
      'short',
      '4915112359005',
      { ...busy, headers: { 'retry-after': '2' } },
      'expired',
    );
    expect(await lineOf('message.expired', { message: late })).toMatchObject({
      source: 'short',
      route: 'all',
    });
  });

  it('has a line for each change of how the account stands', async () => {
    const phone = '4915112359006';
    await script(phone, { failure: 'status', status: 401 });
    const id = await postTo('form', phone);
    expect(await lineOf('account.paused')).toMatchObject({
      account: 'default',
      by: 'gateway',
    });
    await admin('POST', '/accounts/default/resume');
    expect(await lineOf('account.resumed')).toMatchObject({ account: 'default' });
    await message(id, isSent);

    await script(phone, { failure: 'status', status: 500 }, { failure: 'status', status: 500 });
    const failing = await postTo('form', phone);
    expect(await lineOf('circuit.opened')).toMatchObject({ account: 'default', failures: 2 });
    await message(failing, inState('dead'));
    await message(await postTo('form', '4915112359007'), isSent);
    expect(await lineOf('circuit.closed')).toMatchObject({ account: 'default' });
  });

  it('has nothing in it that is not for it: no payload, no number, no secret, no field that is not listed', () => {
    const all = lines.map((line) => JSON.stringify(line)).join('\n');
    expect(all).not.toContain(SECRET_TEXT);
    expect(all).not.toMatch(/49151123590/);
    for (const secret of [
      'hook-secret',
      'gateway-key-of-the-tests',
      'admin-token-of-the-tests',
      'not-the-secret',
    ])
      expect(all).not.toContain(secret);
    for (const { stage, ...fields } of lines) {
      const listed: readonly string[] = STAGES[stage];
      for (const name of Object.keys(fields)) expect(listed, stage).toContain(name);
    }
  });
});
