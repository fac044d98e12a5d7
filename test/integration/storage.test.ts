import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { Outbox } from '../../src/outbox/outbox.ts';
import { turn } from '../eventually.ts';
import { envWith } from '../platform/env.ts';
import { acceptanceTo, eventOf, ringInAnHour } from '../outbox/bare-outbox.ts';
import { eventually, OWNER_URL, reported, watchOutside } from './outside.ts';
import { admin, publish, UNPACED } from './relay.ts';

const MAX_MIB = 4;
const PAYLOAD = JSON.stringify('x'.repeat(50_000));
const PHONE = '4915112345678';

const unmatched = () => acceptanceTo([], { state: 'unmatched', payload: PAYLOAD });
const waiting = () => ({
  ...acceptanceTo([PHONE], { payload: PAYLOAD }),
  messages: acceptanceTo([PHONE]).messages.map((message) => ({ ...message, delayMs: 3_600_000 })),
});

/** Runs `body` with an outbox of the account `small`, as the platform makes it, that may hold only a few MiB. */
const inSmallOutbox = (body: (outbox: Outbox, state: DurableObjectState) => Promise<void>): Promise<void> =>
  runInDurableObject(env.OUTBOX.getByName('small'), async (_, state) => {
    for (const table of ['events', 'messages', 'dedupe_claims', 'notices'])
      state.storage.sql.exec(`DELETE FROM ${table}`);
    state.storage.sql.exec("DELETE FROM meta WHERE key = 'storage'");
    await body(new Outbox(state, envWith({ OUTBOX_MAX_MIB: MAX_MIB })), state);
  });

const kinds = () => reported.map(({ notice }) => notice.kind).filter((kind) => kind.startsWith('storage.'));

beforeAll(async () => {
  watchOutside();
  await publish({
    accounts: { small: { ...UNPACED, notify: { url: OWNER_URL, secret: 'NOTIFY_PATH' } } },
    sources: { shop: { verify: { scheme: 'none' }, account: 'small', limit: false, routes: [] } },
  });
});

describe('an outbox that fills up', () => {
  it('takes all webhooks while finished events can go, deletes the oldest of them, and notifies its owner once', () =>
    inSmallOutbox(async (outbox) => {
      const first = await outbox.accept(unmatched());
      for (let n = 0; n < 300; n += 1) {
        expect((await outbox.accept(unmatched())).refused).toBeUndefined();
        // As between requests: the sweep has its turn.
        await turn();
      }
      const { storage } = await outbox.status();
      expect(storage.bytes).toBeLessThan(MAX_MIB * 1_048_576 * 0.95);
      expect(await outbox.readEvent(first.event)).toBeNull();
      const newest = outbox.listEvents({ limit: 200 }).items;
      expect(newest.length).toBeGreaterThan(20);
      await eventually(() => expect(kinds()).toContain('storage.low'));
      expect(kinds()).not.toContain('storage.full');
    }));

  it('with what waits answers 503 from 95 % on, sends and cancels on, and takes webhooks again when there is space', () =>
    inSmallOutbox(async (outbox) => {
      reported.length = 0;
      const dedupe = { key: 'known', windowMs: 3_600_000 };
      const known = { ...waiting(), event: eventOf(Date.now(), { dedupe }) };
      const first = await outbox.accept(known);
      let accepted = 1;
      let last = await outbox.accept(waiting());
      for (; last.refused === undefined && accepted < 300; accepted += 1)
        last = await outbox.accept(waiting());
      expect(last.refused).toEqual({ by: 'storage', waitMs: 60_000 });
      expect(accepted).toBeLessThan(100);

      // Nothing was lost, and what is there already is still answered.
      expect((await outbox.status()).queued).toBe(accepted);
      const again = { ...known, event: eventOf(Date.now(), { dedupe }) };
      expect(await outbox.accept(again)).toEqual({ ...first, duplicate: true });
      const metrics = outbox.metrics();
      expect(metrics.storage.bytes / metrics.storage.maxBytes).toBeGreaterThan(0.9);
      await eventually(() => expect(kinds()).toContain('storage.low'));

      const step = outbox.cancelAll({ state: 'queued' }, 'token', { after: 0, isDryRun: false });
      expect(step.cancelled).toBe(accepted);
      await ringInAnHour(outbox);
      await eventually(async () => expect((await outbox.status()).storage.state).toBe('ok'));
      expect((await outbox.accept(waiting())).refused).toBeUndefined();
    }));

  it('takes no message of a person either while it is full', () =>
    inSmallOutbox(async (outbox) => {
      const [draft] = acceptanceTo([PHONE]).messages;
      if (draft === undefined) throw new Error('no message');
      expect(await outbox.send({ ...draft, delayMs: 3_600_000 }, 1)).not.toBeNull();
      for (let n = 0; n < 300; n += 1) await outbox.accept(waiting());
      // A message that a person sends is small: it is taken until the size itself is passed.
      const large = { ...draft, params: { message: 'x'.repeat(400_000) }, delayMs: 3_600_000 };
      expect(await outbox.send(large, 1)).not.toBeNull();
      expect(await outbox.send(draft, 1)).toBeNull();
    }));

  it('is shown with its size by the account’s status', async () => {
    const { body } = await admin<{ storage: object }>('GET', '/accounts/small/status');
    expect(body.storage).toMatchObject({ state: 'ok', max_bytes: 9_536 * 1_048_576 });
  });
});
