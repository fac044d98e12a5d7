import { env, exports } from 'cloudflare:workers';
import { evictDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { STAGES, type Stage } from '../../src/lib/log.ts';
import { parseOwnJson } from '../../src/lib/json.ts';
import { parseExposition } from '../metrics/exposition.ts';
import { eventually, hurry, message } from './hurry.ts';
import { outbox, postTo, take } from './posted.ts';
import { admin, isSent, post, publish, script, UNPACED } from './relay.ts';
import { newPhone, open, toPhone } from './sources.ts';

type Line = Readonly<Record<string, unknown>> & { readonly stage: Stage };

hurry();

const lines: Line[] = [];
const ANY_NUMBER: unknown = expect.any(Number);
const SECRET_TEXT = 'a text that nobody but its receiver may read';
const source = (more: object = {}) => open([toPhone('{{ payload.text }}', more)]);
const byToken = (place: string) => ({
  verify: { scheme: 'token', in: place, name: 'key' },
  secrets: ['HOOK_SECRET'],
});

beforeAll(async () => {
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(
      (line: unknown) => void lines.push(parseOwnJson<Line>(String(line))),
    );
  const account = { ...UNPACED, retry: ['100ms'] };
  await publish({
    accounts: { default: { ...account, circuit: { failures: 2, probe: '200ms' } }, sales: account },
    sources: {
      form: source(),
      held: source({ on_uncertain: 'hold' }),
      short: source({ expires: '1s' }),
      signed: byToken('query'),
      counted: open(
        [
          toPhone('hello', { when: 'payload.phone' }),
          { ...toPhone('hello', { name: 'nobody', when: 'payload.nobody' }), to: '{{ payload.nobody }}' },
        ],
        { account: 'sales', dedupe: { key: '{{ payload.id }}' } },
      ),
      'counted-signed': byToken('header'),
    },
  });
});

const busy = (seconds: number) => ({
  failure: 'status',
  status: 429,
  headers: { 'retry-after': String(seconds) },
});

const send = (path: string, phone: string) => postTo(path, phone, { text: SECRET_TEXT });

/** A message that the gateway answers so, once it is in this state. */
async function goes(path: string, step: object, state: string, phone = newPhone()): Promise<string> {
  await script(phone, step);
  const id = await send(path, phone);
  await message(id, (one) => one.state === state);
  return id;
}

/** The newest line of a stage, once it is there. */
const lineOf = (stage: Stage, of: object = {}): Promise<Line> =>
  eventually(() => {
    const line = lines.findLast(
      (one) => one.stage === stage && Object.entries(of).every(([key, value]) => one[key] === value),
    );
    if (line === undefined) throw new Error(`no line ${stage} ${JSON.stringify(of)}`);
    return line;
  });

describe('the log of the whole trip', () => {
  it('has a line for what came in, one for what went out, and one for what was refused, without what was shown', async () => {
    const phone = newPhone();
    const id = await send('form', phone);
    const { event } = await message(id, isSent);
    const published = { stage: 'config.published', version: ANY_NUMBER, by: 'token' };
    expect(await lineOf('config.published')).toEqual(published);
    const of = { event, source: 'form', account: 'default' };
    expect(await lineOf('event.accepted')).toEqual({
      ...of,
      stage: 'event.accepted',
      state: 'routed',
      duplicate: false,
      messages: 1,
      version: ANY_NUMBER,
      duration_ms: ANY_NUMBER,
    });
    expect(await lineOf('message.sent', { message: id })).toEqual({
      ...of,
      stage: 'message.sent',
      message: id,
      route: 'all',
      phone: `+4915•••••${phone.slice(-2)}`,
      attempt: 1,
      outcome: 'sent',
      status: 200,
      duration_ms: ANY_NUMBER,
      latency_ms: ANY_NUMBER,
    });
    await post('signed?key=not-the-secret', '{}', { 'content-type': 'application/json' });
    const rejected = { stage: 'event.rejected', source: 'signed', status: 401, reason: 'mismatch' };
    expect(await lineOf('event.rejected')).toEqual(rejected);
  });

  it('has a line for each way that a message may take', async () => {
    const retried = await goes('form', busy(0), 'sent');
    const retrying = { outcome: 'busy', status: 429, wait_ms: ANY_NUMBER };
    expect(await lineOf('message.retrying', { message: retried })).toMatchObject(retrying);
    const dead = await goes('form', { failure: 'status', status: 400 }, 'dead');
    expect(await lineOf('message.dead', { message: dead })).toMatchObject({
      outcome: 'rejected',
      status: 400,
    });
    const held = await goes('held', { failure: 'html' }, 'uncertain');
    expect(await lineOf('message.uncertain', { message: held })).toMatchObject({
      source: 'held',
      attempt: 1,
    });
    await admin('POST', `/messages/${held}/cancel`);
    expect(await lineOf('message.cancelled', { message: held })).toMatchObject({ by: 'token' });
    const late = await goes('short', busy(2), 'expired');
    const expired = { source: 'short', route: 'all' };
    expect(await lineOf('message.expired', { message: late })).toMatchObject(expired);
  });

  it('has a line for each change of how the account stands', async () => {
    const phone = newPhone();
    await script(phone, { failure: 'status', status: 401 });
    const id = await send('form', phone);
    expect(await lineOf('account.paused')).toMatchObject({ account: 'default', by: 'gateway' });
    await admin('POST', '/accounts/default/resume');
    expect(await lineOf('account.resumed')).toMatchObject({ account: 'default' });
    await message(id, isSent);
    await script(phone, { failure: 'status', status: 500 }, { failure: 'status', status: 500 });
    // By a person: failures of one open source do not open it.
    const byHand = { to: phone, kind: 'text', message: 'hello' };
    const failing = (await admin<{ id: string }>('POST', '/messages', byHand)).body.id;
    expect(await lineOf('circuit.opened')).toMatchObject({ account: 'default', failures: 2 });
    await message(failing, ({ state }) => state === 'dead');
    await message(await send('form', newPhone()), isSent);
    expect(await lineOf('circuit.closed')).toMatchObject({ account: 'default' });
  });

  it('has nothing in it that is not for it: no payload, no number, no secret, no field that is not listed', () => {
    const all = lines.map((line) => JSON.stringify(line)).join('\n');
    expect(all).not.toMatch(/4915112500/);
    const secrets = ['hook-secret', 'gateway-key-of-the-tests', 'admin-token-of-the-tests', 'not-the-secret'];
    for (const secret of [SECRET_TEXT, ...secrets]) expect(all).not.toContain(secret);
    for (const { stage, ...fields } of lines) {
      const listed: readonly string[] = STAGES[stage].split(' ');
      expect([stage, Object.keys(fields).filter((name) => !listed.includes(name))]).toEqual([stage, []]);
    }
  });
});

/** The value with these labels; undefined when there is no such line. */
async function value(name: string, labels: Readonly<Record<string, string>>): Promise<number | undefined> {
  const headers = { authorization: 'Bearer admin-token-of-the-tests' };
  const response = await exports.default.fetch('https://relay.example/metrics', { headers });
  const all = parseExposition(await response.text()).get(name.replace(/_(sum|count)$/, ''))?.lines;
  const isIt = (of: Readonly<Record<string, string>>) =>
    Object.entries(labels).every(([label, words]) => of[label] === words);
  return all?.find((line) => line.name === name && isIt(line.labels))?.value;
}

const counts = async (rows: readonly (readonly [string, Record<string, string>, number])[]) => {
  for (const [name, labels, expected] of rows)
    expect([name, labels, await value(`hookbell_${name}`, labels)]).toEqual([name, labels, expected]);
};

describe('what is counted', () => {
  const PHONE = newPhone();
  const account = 'sales';
  const of = { source: 'counted', account };

  it('is what happened, and survives an eviction', async () => {
    await script(PHONE, { failure: 'status', status: 500 });
    const { messages } = await take('counted', { id: '1', phone: `+${PHONE}` });
    await message(messages[0] ?? '', isSent);
    for (const more of [{ id: '1', phone: `+${PHONE}` }, { id: '2' }, { id: '3', nobody: 'a stranger' }])
      await take('counted', more);
    await post('counted-signed', '{}', { key: 'wrong', 'content-type': 'application/json' });
    const rejections = [['rejections_total', { source: 'counted-signed', reason: 'mismatch' }, 1]] as const;
    await eventually(() => counts(rejections));
    await evictDurableObject(outbox('sales'));
    await evictDurableObject(env.REGISTRY.getByName('registry'));
    await counts([
      ...rejections,
      ['events_total', { ...of, state: 'routed' }, 1],
      ['events_total', { ...of, state: 'unmatched' }, 1],
      ['events_total', { ...of, state: 'failed' }, 1],
      ['event_duplicates_total', of, 1],
      ['messages_total', { ...of, state: 'queued' }, 1],
      ['messages_total', { ...of, state: 'retrying' }, 1],
      ['messages_total', { ...of, state: 'sent' }, 1],
      ['attempts_total', { account, outcome: 'server_error' }, 1],
      ['attempts_total', { account, outcome: 'sent' }, 1],
      ['attempt_duration_seconds_count', { account, outcome: 'sent' }, 1],
      ['message_latency_seconds_count', { account }, 1],
      ['queue_messages', { account, state: 'queued' }, 0],
      ['account_up', { account }, 1],
    ]);
  });
});
