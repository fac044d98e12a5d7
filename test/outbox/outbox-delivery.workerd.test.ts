import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Acceptance } from '../../src/outbox/state/acceptance.ts';
import { Outbox } from '../../src/outbox/outbox.ts';
import type { MessageView } from '../../src/outbox/answers/api-message.ts';
import { eventually, turn } from '../eventually.ts';
import { callsTo, script } from '../integration/relay.ts';
import { connectedOutbox, publishConnected } from './connected.ts';
import { accepted, countRows, draft, HOUR, SECOND, START } from './support.ts';
import { newOutbox } from './bare-outbox.ts';

type Stub = ReturnType<typeof connectedOutbox>;

const one = (phone: string, key?: string): Acceptance => ({
  event: accepted({ dedupe: key === undefined ? null : { key, windowMs: HOUR } }),
  messages: [draft({ phone })],
});

/** The message once it is in this state; the alarm works meanwhile. */
const inState = (stub: Stub, id: string | undefined, state: string): Promise<MessageView | null> =>
  eventually(async () => {
    const message = await stub.readMessage(id ?? '');
    expect(message?.state).toBe(state);
    return message;
  });

const alarmOf = (stub: Stub): Promise<number | null> =>
  runInDurableObject(stub, (_, { storage }) => storage.getAlarm());

beforeAll(() => publishConnected({ rate: false }));

describe('accepting', () => {
  it('wakes the outbox: the message goes out without anything else', async () => {
    const stub = connectedOutbox();
    const { messages } = await stub.accept(one('4915112346001'));
    await inState(stub, messages[0], 'sent');
    expect(await callsTo('4915112346001')).toHaveLength(1);
  });

  it('an event without messages wakes nothing but the housekeeping', async () => {
    const stub = newOutbox();
    await stub.accept({ event: accepted({ state: 'unmatched' }), messages: [] });
    expect(await alarmOf(stub)).toBeGreaterThan(Date.now() + 30 * 60 * SECOND);
  });

  it('the same event at the same time, many times over, sends once', async () => {
    const stub = connectedOutbox();
    const receipts = await Promise.all(
      Array.from({ length: 20 }, () => stub.accept(one('4915112346002', 'k'))),
    );
    expect(receipts.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(receipts.flatMap(({ messages }) => messages)).size).toBe(1);
    await inState(stub, receipts[0]?.messages[0], 'sent');
    expect(await callsTo('4915112346002')).toHaveLength(1);
  });

  it('costs five rows from the webhook to the gateway’s answer, and one alarm for those of thirty seconds; four more an hour', async () => {
    const counts = await runInDurableObject(connectedOutbox(), async (outbox, { storage }) => {
      const rows = countRows(storage.sql);
      let alarms = 0;
      storage.setAlarm = () => {
        alarms += 1;
        return Promise.resolve();
      };
      const costs = async (key: string): Promise<number> => {
        rows.reset();
        alarms = 0;
        const { messages } = await outbox.accept(one('4915112346003', key));
        await eventually(async () =>
          expect((await outbox.readMessage(messages[0] ?? ''))?.state).toBe('sent'),
        );
        // Recorded, and the run has ended.
        await turn();
        return rows.written() + alarms;
      };
      const all: number[] = [];
      for (let event = 0; event < 10; event += 1) all.push(await costs(`k${event}`));
      return all;
    });
    // The machine's speed decides with which event an hour's or a start's rows come. The first sweep also keeps the
    // retention.
    expect(Math.min(...counts)).toBe(5);
    expect(counts.reduce((sum, rows) => sum + rows, 0)).toBeLessThanOrEqual(10 * 5 + 1 + 6);
  });
});

describe('an alarm', () => {
  it('never throws, even when the configuration cannot be read, and comes back', async () => {
    await runInDurableObject(newOutbox(), async (_, state) => {
      const noConfig = {
        ...env,
        CONFIG: new Proxy(env.CONFIG, { get: () => () => Promise.reject(new Error('KV is away')) }),
      };
      const outbox = new Outbox(state, noConfig);
      await outbox.accept(one('4915112346004'));
      await state.storage.deleteAlarm();
      const before = Date.now();
      await outbox.alarm();
      expect(await state.storage.getAlarm()).toBeGreaterThanOrEqual(before + 30 * SECOND);
      const { items } = await outbox.listMessages({ limit: 10 });
      expect(items.map(({ state: is }) => is)).toEqual(['queued']);
    });
  });

  it('that comes twice sends once', async () => {
    const stub = connectedOutbox();
    await script('4915112346005', { failure: 'slow', ms: 100 });
    const { messages } = await stub.accept(one('4915112346005'));
    await Promise.all([runDurableObjectAlarm(stub), runDurableObjectAlarm(stub)]);
    await inState(stub, messages[0], 'sent');
    await runDurableObjectAlarm(stub);
    expect(await callsTo('4915112346005')).toHaveLength(1);
  });

  it('is set for a retry’s moment once there is nothing else', async () => {
    const stub = connectedOutbox();
    await script('4915112346006', { failure: 'status', status: 429, headers: { 'retry-after': '3600' } });
    const { messages } = await stub.accept(one('4915112346006'));
    const message = await inState(stub, messages[0], 'retrying');
    await eventually(async () => {
      expect(await alarmOf(stub)).toBe(Date.parse(message?.next_attempt_at ?? ''));
    });
  });
});

describe('an object that comes back', () => {
  it('after an eviction knows everything, and numbers its messages on', async () => {
    const stub = newOutbox();
    const first = await stub.accept(one('4915112346007', 'k'));
    await stub.pause('token', 'a holiday');
    await evictDurableObject(stub);
    const second = await stub.accept(one('4915112346007'));
    expect((await stub.accept(one('4915112346007', 'k'))).duplicate).toBe(true);
    const { items } = await stub.listMessages({ limit: 10 });
    expect(items.map(({ id }) => id)).toEqual([...second.messages, ...first.messages]);
    expect((await stub.status()).paused).toMatchObject({ by: 'token', reason: 'a holiday' });
  });

  it('after a crash in the middle of a call records it as uncertain and goes on', async () => {
    const stub = connectedOutbox();
    const phone = '4915112346008';
    await script(phone, { failure: 'hang' });
    const { messages } = await stub.accept(one(phone));
    await eventually(async () => expect(await callsTo(phone)).toHaveLength(1));
    expect((await stub.readMessage(messages[0] ?? ''))?.state).toBe('sending');
    await abortAllDurableObjects();
    const again = env.OUTBOX.getByName(stub.name ?? '');
    await runDurableObjectAlarm(again);
    const message = await inState(again, messages[0], 'retrying');
    expect(message?.attempts).toHaveLength(1);
    expect(message?.attempts[0]).toMatchObject({
      n: 1,
      outcome: 'uncertain',
      detail: 'the relay stopped before the answer arrived',
    });
  });
});

describe('a person', () => {
  it('pauses and resumes an account: what waited goes out', async () => {
    const stub = connectedOutbox();
    await stub.pause('token', 'a holiday');
    const { messages } = await stub.accept(one('4915112346009'));
    await runDurableObjectAlarm(stub);
    expect(await stub.readMessage(messages[0] ?? '')).toMatchObject({ state: 'queued', attempts: [] });
    await stub.resume();
    await inState(stub, messages[0], 'sent');
  });

  it('sends a message that no webhook asked for', async () => {
    const stub = connectedOutbox();
    const queued = await stub.send(draft({ route: null, phone: '4915112346010' }), 3);
    expect(queued).toMatchObject({ event: null, source: null, route: null, config_version: 3 });
    const sent = await inState(stub, queued?.id, 'sent');
    expect(sent?.params).toEqual({ phone: '4915112346010', message: 'hello' });
  });
});

it('an event is kept with its payload, headers and query as they were given', async () => {
  const stub = newOutbox();
  const event = accepted({ payload: '{"a":"ü"}', headers: '{"x-a":"1"}', query: '{"q":"2"}' });
  await stub.accept({ event, messages: [draft()] });
  const stored = await stub.readEvent(event.id);
  expect(stored).toMatchObject({
    payload: event.payload,
    headers: event.headers,
    query: event.query,
    received_at: new Date(START).toISOString(),
  });
  expect(stored?.messages).toHaveLength(1);
});
