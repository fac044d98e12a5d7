import { env } from 'cloudflare:workers';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { acceptanceTo, addMessage, draftTo, freshName, inOutbox, ringInAnHour } from './bare-outbox.ts';

const PHONE = '4915112345678';

/** Makes the tables refuse a message of this kind, as a full disk or a row too large would. */
const refuseKind = ({ sql }: DurableObjectStorage, kind: string): unknown =>
  sql.exec(
    `CREATE TRIGGER refuse BEFORE INSERT ON messages WHEN NEW.kind = '${kind}' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
  );

/** Its event and its first message are written when the second one is refused. */
const unwritable = () => {
  const acceptance = acceptanceTo([PHONE]);
  return { ...acceptance, messages: [...acceptance.messages, draftTo(PHONE, { kind: 'voice' })] };
};

const seqs = (storage: DurableObjectStorage): number[] =>
  storage.sql
    .exec<{ seq: number }>('SELECT seq FROM messages ORDER BY seq')
    .toArray()
    .map(({ seq }) => seq);

describe('accepting in groups', () => {
  it('commits what comes together with two flushes: the first, and all others', () =>
    inOutbox(async (outbox, storage) => {
      const flushes = vi.spyOn(storage, 'sync');
      const commits = vi.spyOn(storage, 'transactionSync');
      const receipts = await Promise.all(
        Array.from({ length: 50 }, () => outbox.accept(acceptanceTo([PHONE]))),
      );
      expect(new Set(receipts.flatMap(({ messages }) => messages)).size).toBe(50);
      expect(flushes).toHaveBeenCalledTimes(2);
      expect(commits).toHaveBeenCalledTimes(2);
      flushes.mockRestore();
      commits.mockRestore();
    }));

  it('lets a bad event fail alone: its neighbours are accepted in order, and no number is skipped or given twice', () =>
    inOutbox(async (outbox, storage) => {
      refuseKind(storage, 'voice');
      const group = [
        outbox.accept(acceptanceTo([PHONE])),
        outbox.accept(acceptanceTo([PHONE, PHONE])),
        outbox.accept(unwritable()),
        outbox.accept(acceptanceTo([PHONE])),
        outbox.accept(unwritable()),
        outbox.accept(acceptanceTo([PHONE])),
      ];
      const settled = await Promise.allSettled(group);
      expect(settled.map(({ status }) => status)).toEqual([
        'fulfilled',
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      expect(seqs(storage)).toEqual([1, 2, 3, 4, 5]);
      const ids = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value.messages : []));
      const views = await Promise.all(ids.map((id) => outbox.readMessage(id)));
      expect(views.map((view) => view?.id)).toEqual(ids);
      await outbox.accept(acceptanceTo([PHONE]));
      expect(seqs(storage)).toEqual([1, 2, 3, 4, 5, 6]);
    }));

  it('knows a duplicate in the same group', () =>
    inOutbox(async (outbox) => {
      const dedupe = { key: 'k', windowMs: 60_000 };
      const first = outbox.accept(acceptanceTo([PHONE]));
      const [one, two] = await Promise.all([
        outbox.accept(acceptanceTo([PHONE], { dedupe })),
        outbox.accept(acceptanceTo([PHONE], { dedupe })),
      ]);
      await first;
      expect(two).toEqual({ ...one, duplicate: true });
    }));

  it('rejects all of a group whose flush fails, so that their senders try again', () =>
    inOutbox(async (outbox, storage) => {
      const flush = vi.spyOn(storage, 'sync').mockRejectedValueOnce(new Error('the disk is gone'));
      const acceptance = acceptanceTo([PHONE]);
      await expect(outbox.accept(acceptance)).rejects.toThrow('the disk is gone');
      flush.mockRestore();
      // The same event handed in again is the same event, whatever is on the disk.
      expect((await outbox.accept(acceptance)).messages).toHaveLength(1);
      expect(seqs(storage)).toEqual([1]);
    }));

  it('keeps its numbers apart from messages sent by hand meanwhile', () =>
    inOutbox(async (outbox, storage) => {
      const accepted = outbox.accept(acceptanceTo([PHONE, PHONE]));
      const byHand = outbox.send(draftTo(PHONE), 1);
      const { messages } = await accepted;
      expect(new Set([...messages, (await byHand)?.id]).size).toBe(3);
      expect(seqs(storage)).toEqual([1, 2, 3]);
    }));
});

describe('an outbox whose messages were all deleted', () => {
  it('gives no number twice after a restart', async () => {
    const name = freshName();
    const stub = env.OUTBOX.getByName(name);
    const id = await inOutbox(async (outbox, { sql }) => {
      const { messages } = await outbox.accept(acceptanceTo([PHONE]));
      sql.exec("UPDATE messages SET state = 'cancelled', created_at = 0");
      await ringInAnHour(outbox);
      expect(await outbox.readMessage(messages[0] ?? '')).toBeNull();
      return messages[0];
    }, name);
    await evictDurableObject(stub);
    const { messages } = await stub.accept(acceptanceTo([PHONE]));
    expect(messages[0]).not.toBe(id);
  });
});

describe('the registry’s look', () => {
  it('arms the alarm of an object that is in memory and still believes in one that was lost', async () => {
    const stub = env.OUTBOX.getByName(freshName());
    await stub.accept(acceptanceTo([PHONE]));
    await eventually(() =>
      runInDurableObject(stub, async (_outbox, { storage }) =>
        expect(await storage.getAlarm()).not.toBeNull(),
      ),
    );
    await runInDurableObject(stub, async (outbox, { storage }) => {
      await storage.deleteAlarm();
      await outbox.look();
      expect(await storage.getAlarm()).not.toBeNull();
    });
  });

  it('arms nothing where nothing is held', () =>
    inOutbox(async (outbox, storage) => {
      await outbox.look();
      expect(await storage.getAlarm()).toBeNull();
    }));
});

describe('a person’s hand on an outbox', () => {
  it('does nothing to a message of another outbox', () =>
    inOutbox((outbox, { sql }) => {
      addMessage(sql, { seq: 1, state: 'dead' });
      expect(outbox.retry('msg_000000001zzzzzzz', 'token')).toBeNull();
      expect(outbox.cancel('msg_000000009', 'token')).toBeNull();
    }));

  it('notifies the owner of a pause once, and of its end once', () =>
    inOutbox((outbox, { sql }) => {
      const notices = (): readonly string[] =>
        sql
          .exec<{ kind: string }>("SELECT notice ->> 'kind' AS kind FROM notices ORDER BY id")
          .toArray()
          .map(({ kind }) => kind);
      outbox.pause('token', 'why');
      outbox.pause('token', 'again');
      outbox.resume();
      outbox.resume();
      expect(notices()).toEqual(['account.paused', 'account.resumed']);
    }));
});
