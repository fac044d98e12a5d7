import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { AcceptedEvent, Quota } from '../../../src/outbox/state/acceptance.ts';
import { SourceLimits } from '../../../src/outbox/accept/source-limits.ts';
import { acceptanceTo, freshName, inOutbox } from '../bare-outbox.ts';
import { countRows } from '../support.ts';

const MIB = 1_048_576;
const MINUTE = 60_000;

const quota = (perMinute: number, bytes = 10, bytesPerHour: number | null = 64 * MIB): Quota => ({
  limit: { perMinute, burst: perMinute, bytesPerHour, messagesPerMinute: null },
  bytes,
  messages: 1,
});

/** A webhook of this many messages, of 120 a minute. */
const ofMessages = (messages: number): Quota => ({
  ...quota(1_000),
  limit: { ...quota(1_000).limit, messagesPerMinute: 120 },
  messages,
});

const to = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => String(491_713_920_000 + n));

const making = (count: number, extra: Partial<AcceptedEvent> = {}) => ({
  ...acceptanceTo(to(count), extra),
  quota: ofMessages(count),
});

const messagesLeft = (sql: SqlStorage): number => {
  const limits = new SourceLimits(sql);
  const fits = (messages: number): boolean => limits.over('shop', ofMessages(messages), Date.now()) === null;
  let left = 0;
  while (left < 120 && fits(left + 1)) left += 1;
  return left;
};

const limited = (one: Quota, extra: Partial<AcceptedEvent> = {}) => ({
  ...acceptanceTo([null], extra),
  quota: one,
});

describe('a limited source', () => {
  it('leaves nothing behind of what is refused, and the same webhook is taken as new when there is room', async () => {
    await inOutbox(async (outbox, { sql }) => {
      const dedupe = { key: 'k2', windowMs: MINUTE };
      await outbox.accept(limited(quota(1)));
      const counted = countRows(sql);
      const refused = await outbox.accept(limited(quota(1), { dedupe }));
      expect(refused.refused).toMatchObject({ by: 'requests' });
      expect(counted.written()).toBe(0);
      const taken = await outbox.accept(limited(quota(2), { dedupe }));
      expect(taken).toMatchObject({ duplicate: false });
      expect(taken.refused).toBeUndefined();
    });
  });

  it('is held to it within one commit of many', async () => {
    await inOutbox(async (outbox) => {
      const receipts = await Promise.all(Array.from({ length: 30 }, () => outbox.accept(limited(quota(7)))));
      expect(receipts.filter(({ refused }) => refused === undefined)).toHaveLength(7);
    });
  });

  it('holds up no other source', async () => {
    await inOutbox(async (outbox) => {
      for (let n = 0; n < 3; n += 1) await outbox.accept(limited(quota(1)));
      expect((await outbox.accept(limited(quota(1), { source: 'other' }))).refused).toBeUndefined();
      expect((await outbox.accept(acceptanceTo([null]))).refused).toBeUndefined();
    });
  });

  it('has a duplicate answered like the first; it counts as a webhook, but not its bytes', async () => {
    await inOutbox(async (outbox) => {
      const dedupe = { key: 'k', windowMs: MINUTE };
      const whole = quota(3, MIB, MIB);
      const first = await outbox.accept(limited(whole, { dedupe }));
      const again = await outbox.accept(limited(whole, { dedupe }));
      expect(again).toEqual({ ...first, duplicate: true });
      expect((await outbox.accept(limited(whole))).refused).toMatchObject({ by: 'bytes' });
      expect((await outbox.accept(limited(whole, { dedupe }))).duplicate).toBe(true);
      expect((await outbox.accept(limited(whole, { dedupe }))).refused).toMatchObject({ by: 'requests' });
    });
  });

  it('has a call that the Worker repeats counted once, and answered however full it is', async () => {
    await inOutbox(async (outbox) => {
      const acceptance = limited(quota(2));
      const first = await outbox.accept(acceptance);
      await outbox.accept(limited(quota(2)));
      expect(await outbox.accept(acceptance)).toEqual(first);
    });
  });

  it('has used nothing by a commit that came to nothing', async () => {
    await inOutbox(async (outbox, { sql }) => {
      sql.exec("CREATE TRIGGER fault BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'a fault'); END");
      await expect(outbox.accept(limited(quota(1)))).rejects.toThrow('a fault');
      sql.exec('DROP TRIGGER fault');
      expect((await outbox.accept(limited(quota(1)))).refused).toBeUndefined();
    });
  });
});

describe('a source that may make 120 messages a minute', () => {
  it('has a webhook refused that would make more, and one that fits taken', async () => {
    await inOutbox(async (outbox) => {
      expect((await outbox.accept(making(100))).messages).toHaveLength(100);
      expect((await outbox.accept(making(21))).refused).toMatchObject({ by: 'messages' });
      expect((await outbox.accept(making(20))).messages).toHaveLength(20);
      expect((await outbox.accept(making(1))).refused).toMatchObject({ by: 'messages' });
      expect((await outbox.accept(making(0))).refused).toBeUndefined();
    });
  });

  it('is held to it within one commit of many', async () => {
    await inOutbox(async (outbox) => {
      const receipts = await Promise.all(Array.from({ length: 20 }, () => outbox.accept(making(30))));
      expect(receipts.filter(({ refused }) => refused === undefined)).toHaveLength(4);
    });
  });

  it('has a duplicate answered however full it is, and its messages count once', async () => {
    await inOutbox(async (outbox) => {
      const dedupe = { key: 'k', windowMs: MINUTE };
      const first = await outbox.accept(making(120, { dedupe }));
      expect(await outbox.accept(making(120, { dedupe }))).toEqual({ ...first, duplicate: true });
    });
  });

  it('counts no messages that an earlier event made: a list that comes again each time has few new ones', async () => {
    await inOutbox(async (outbox) => {
      const list = () => {
        const whole = making(50);
        return { ...whole, messages: whole.messages.map((one, n) => ({ ...one, once: `${n}` })) };
      };
      expect((await outbox.accept(list())).messages).toHaveLength(50);
      for (let n = 0; n < 5; n += 1) expect((await outbox.accept(list())).messages).toEqual([]);
      expect((await outbox.accept(making(70))).messages).toHaveLength(70);
    });
  });

  it('has as many left after a restart as before', async () => {
    await inOutbox(async (outbox, { sql }) => {
      await outbox.accept(making(30));
      await outbox.accept(making(12));
      expect(messagesLeft(sql)).toBe(78);
    });
  });
});

describe('after a restart', () => {
  it('the last minute’s webhooks are read back from the events', async () => {
    await inOutbox(async (outbox, { sql }) => {
      for (let n = 0; n < 5; n += 1) await outbox.accept(limited(quota(5)));
      const replay = { of: 'evt_1', by: 'token' };
      await outbox.accept(acceptanceTo([null], { source: 'other', replay }));
      const limits = new SourceLimits(sql);
      expect(limits.over('shop', quota(5), Date.now())).toMatchObject({ by: 'requests' });
      expect(limits.over('shop', quota(5), Date.now() + 2 * MINUTE)).toBeNull();
      // Replays are not webhooks.
      expect(new SourceLimits(sql).over('other', quota(1), Date.now())).toBeNull();
    });
  });

  it('counts nothing of a commit that came to nothing', async () => {
    await inOutbox((_, { sql }) => {
      const limits = new SourceLimits(sql);
      const now = Date.now();
      const whole = quota(2, MIB, MIB);
      for (let n = 0; n < 5; n += 1)
        expect(() =>
          limits.within(() => {
            limits.take('shop', whole, now);
            throw new Error('the disk is full');
          }),
        ).toThrow('full');
      sql.exec('DELETE FROM meta');
      expect(limits.over('shop', whole, now)).toBeNull();
    });
  });

  it('the last hour’s bytes are known to within a MiB, at a row for each MiB', async () => {
    await inOutbox((_, { sql }) => {
      const limits = new SourceLimits(sql);
      const now = Date.now();
      const half = quota(10_000, MIB / 2, 4 * MIB);
      const counted = countRows(sql);
      for (let n = 0; n < 7; n += 1) limits.within(() => limits.take('shop', half, now));
      expect(counted.written()).toBe(3);
      const again = new SourceLimits(sql);
      expect(again.over('shop', { ...half, bytes: MIB }, now)).toBeNull();
      expect(again.over('shop', { ...half, bytes: MIB + 1 }, now)).toMatchObject({ by: 'bytes' });
    });
  });

  it('no row is written for a source without a limit, nor for one that counts no bytes', async () => {
    await inOutbox(async (outbox, { sql }) => {
      await outbox.accept(acceptanceTo([null]));
      for (let n = 0; n < 3; n += 1) await outbox.accept(limited(quota(100, MIB, null)));
      expect(sql.exec("SELECT key FROM meta WHERE key LIKE 'bytes:%'").toArray()).toEqual([]);
    });
  });

  it('a real object that is stopped goes on counting', async () => {
    const name = freshName();
    const stub = env.OUTBOX.getByName(name);
    await stub.accept(limited(quota(1)));
    await expect(
      runInDurableObject(stub, (_, state) => {
        state.abort('stopped by the test');
      }),
    ).rejects.toThrow();
    expect((await env.OUTBOX.getByName(name).accept(limited(quota(1)))).refused).toMatchObject({
      by: 'requests',
    });
  });
});

describe('a source that has no limit any more', () => {
  it('is forgotten, with its row', async () => {
    await inOutbox((_, { sql }) => {
      const limits = new SourceLimits(sql);
      const now = Date.now();
      for (const source of ['kept', 'gone'])
        limits.within(() => limits.take(source, quota(10, 2 * MIB), now));
      limits.forgetSources((source) => source === 'kept');
      const rows = sql.exec<{ key: string }>("SELECT key FROM meta WHERE key LIKE 'bytes:%'").toArray();
      expect(rows).toEqual([{ key: 'bytes:kept' }]);
    });
  });
});
