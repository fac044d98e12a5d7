import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { Outbox } from '../../src/outbox/outbox.ts';
import { turn } from '../eventually.ts';
import { envWith } from '../platform/env.ts';
import { acceptanceTo, eventOf, ringInAnHour } from '../outbox/bare-outbox.ts';
import { eventually, gatewayAnswers, OWNER_URL, reported, status, watchOutside } from './outside.ts';
import { outbox, take } from './posted.ts';
import { admin, event, isSent, message, publish, UNPACED } from './relay.ts';
import { newPhone, open, toPhone } from './sources.ts';

const HOUR = 3_600_000;
const MAX_MIB = 4;

beforeAll(async () => {
  watchOutside();
  const route = toPhone('{{ payload.words }}');
  const later = { ...route, name: 'later', delay: '1h' };
  await publish({
    accounts: {
      default: { ...UNPACED, retention: '2h', retry: ['1h'] },
      small: { ...UNPACED, notify: { url: OWNER_URL, secret: 'NOTIFY_PATH' } },
    },
    sources: {
      form: open([route]),
      claimed: open([route], { dedupe: { key: '{{ payload.id }}', window: '3d' } }),
      later: open([{ ...route, delay: '2d' }]),
      secretive: open([route, later], { store: 'metadata' }),
      shop: open([], { account: 'small' }),
    },
  });
});

/** Runs `body` with an outbox of the account `small`, as the platform makes it, that may hold only a few MiB. */
const inSmallOutbox = (body: (small: Outbox) => Promise<void>): Promise<void> =>
  runInDurableObject(outbox('small'), async (_, state) => {
    for (const table of ['events', 'messages', 'dedupe_claims', 'notices'])
      state.storage.sql.exec(`DELETE FROM ${table}`);
    state.storage.sql.exec("DELETE FROM meta WHERE key = 'storage'");
    await body(new Outbox(state, envWith({ OUTBOX_MAX_MIB: MAX_MIB })));
  });

const kinds = () => reported.map(({ notice }) => notice.kind).filter((kind) => kind.startsWith('storage.'));

describe('an outbox that fills up', () => {
  const PAYLOAD = JSON.stringify('x'.repeat(50_000));
  const PHONE = newPhone();
  const unmatched = () => acceptanceTo([], { state: 'unmatched', payload: PAYLOAD });
  const waiting = () => ({
    ...acceptanceTo([PHONE], { payload: PAYLOAD }),
    messages: acceptanceTo([PHONE]).messages.map((one) => ({ ...one, delayMs: HOUR })),
  });

  it('takes all webhooks while finished events can go, deletes the oldest of them, and notifies its owner once', () =>
    inSmallOutbox(async (small) => {
      const first = await small.accept(unmatched());
      for (let n = 0; n < 150; n += 1) {
        expect((await small.accept(unmatched())).refused).toBeUndefined();
        // As between requests: the sweep has its turn.
        await turn();
      }
      const { storage } = await small.status();
      expect(storage.bytes).toBeLessThan(MAX_MIB * 1_048_576 * 0.95);
      expect(await small.readEvent(first.event)).toBeNull();
      expect(small.listEvents({ limit: 200 }).items.length).toBeGreaterThan(20);
      await eventually(() => expect(kinds()).toContain('storage.low'));
      expect(kinds()).not.toContain('storage.full');
    }));

  it('with what waits answers 503 from 95 % on, sends and cancels on, and takes webhooks again when there is space', () =>
    inSmallOutbox(async (small) => {
      reported.length = 0;
      const dedupe = { key: 'known', windowMs: HOUR };
      const known = { ...waiting(), event: eventOf(Date.now(), { dedupe }) };
      const first = await small.accept(known);
      let accepted = 1;
      let last = await small.accept(waiting());
      for (; last.refused === undefined && accepted < 300; accepted += 1)
        last = await small.accept(waiting());
      expect(last.refused).toEqual({ by: 'storage', waitMs: 60_000 });
      expect(accepted).toBeLessThan(100);
      // Nothing was lost, and what is there already is still answered.
      expect((await small.status()).queued).toBe(accepted);
      const again = { ...known, event: eventOf(Date.now(), { dedupe }) };
      expect(await small.accept(again)).toEqual({ ...first, duplicate: true });
      const { storage } = small.metrics();
      expect(storage.bytes / storage.maxBytes).toBeGreaterThan(0.9);
      await eventually(() => expect(kinds()).toContain('storage.low'));
      const step = small.cancelAll({ state: 'queued' }, 'token', { after: 0, isDryRun: false });
      expect(step.cancelled).toBe(accepted);
      await ringInAnHour(small);
      await eventually(async () => expect((await small.status()).storage.state).toBe('ok'));
      expect((await small.accept(waiting())).refused).toBeUndefined();
    }));
});

const post = (source: string, phone: string, more: object = {}) =>
  take(source, { phone: `+${phone}`, words: 'x', ...more });

/** Everything that the outbox has on disk, as text. */
const disk = () =>
  runInDurableObject(outbox(), (_, { storage: { sql } }) =>
    JSON.stringify(
      ['events', 'messages', 'dedupe_claims', 'checkpoint', 'meta', 'notices'].map((table) =>
        sql.exec(`SELECT * FROM ${table}`).toArray(),
      ),
    ),
  );

const cancel = (id = '') => admin('POST', `/messages/${id}/cancel`);

describe('a source that keeps no payloads', () => {
  const words = 'Geheimnis-4711';
  const secret = (phone: string) => post('secretive', phone, { words, other: 'Beifang-0815' });

  it('has neither payload, headers nor query on disk, and parameters only until the message is sent', async () => {
    const phone = newPhone();
    const { event: id, messages } = await secret(phone);
    expect((await message(messages[0] ?? '', isSent)).params).toEqual({ phone });
    expect(await event(id)).toMatchObject({ stored: false, payload: null, headers: null, query: null });
    const waits = await message(messages[1] ?? '', () => true);
    expect(waits.params['message']).toBe(words);
    expect(await disk()).not.toContain('Beifang');
    await cancel(waits.id);
    expect((await message(waits.id, ({ state }) => state === 'cancelled')).params).toEqual({ phone });
    expect(await disk()).not.toContain(words);
    const retried = await admin('POST', `/messages/${waits.id}/retry`);
    const detail: unknown = expect.stringContaining('stores no payloads');
    expect(retried).toMatchObject({ status: 409, body: { detail } });
  });

  it('keeps the parameters of one that died, which a person can still have sent', async () => {
    const phone = newPhone();
    gatewayAnswers(phone, status(400));
    const [first = '', second] = (await secret(phone)).messages;
    const dead = await message(first, ({ state }) => state === 'dead');
    expect(dead.params['message']).toBe(words);
    await admin('POST', `/messages/${first}/retry`);
    expect((await message(first, isSent)).params).toEqual({ phone });
    await cancel(second);
    expect(await disk()).not.toContain(words);
  });
});
