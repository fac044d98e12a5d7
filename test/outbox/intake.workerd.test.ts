import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Acceptance } from '../../src/outbox/state/acceptance.ts';
import { eventually } from '../eventually.ts';
import { callsTo } from '../integration/relay.ts';
import { connectedOutbox, publishConnected } from './connected.ts';
import { diskOf } from './full-disk.ts';
import { accepted, draft } from './support.ts';

const urgent = (phone: string): Acceptance => ({
  event: accepted(),
  messages: [draft({ phone, priority: 'high' })],
});

const FIRST = '4915112440000';

beforeAll(() =>
  publishConnected({
    rate: false,
    per_recipient: false,
    escape: { after: '1h', via: { kind: 'webhook', secret: 'NOTIFY_ESCAPE' } },
  }),
);

describe('webhooks of one commit, while the disk is full for the escape of one', () => {
  it.each([
    // The group is written one by one then.
    ['once: all are accepted', 1, ['fulfilled', 'fulfilled']],
    ['twice: that one is refused', 2, ['rejected', 'fulfilled']],
  ])('%s, and what is accepted is sent, like what comes later', async (_, fails, expected) => {
    const phones = ['1', '2', '3'].map((last) => `491511244${fails}00${last}`);
    await runInDurableObject(connectedOutbox(), async (outbox, { storage }) => {
      // It has read its configuration then.
      const before = await outbox.accept(urgent(FIRST));
      await eventually(async () =>
        expect((await outbox.readMessage(before.messages[0] ?? ''))?.state).toBe('sent'),
      );
      const disk = diskOf(storage.sql, (query) => query.includes('INTO escapes'));
      const [one = '', two = '', later = ''] = phones;
      // The two share a commit: the one before is on its way to the disk.
      const commit = outbox.accept(urgent(FIRST));
      disk.fails = fails;
      const answers = await Promise.allSettled([outbox.accept(urgent(one)), outbox.accept(urgent(two))]);
      await commit;
      expect(answers.map((answer) => answer.status)).toEqual(expected);
      expect(disk.fails).toBe(0);
      await outbox.accept(urgent(later));
    });
    await eventually(async () => {
      const calls = await Promise.all(phones.map(callsTo));
      const isAccepted = [...expected, 'fulfilled'].map((answer) => answer === 'fulfilled');
      expect(calls.map((made) => made.length > 0)).toEqual(isAccepted);
    });
  });
});
