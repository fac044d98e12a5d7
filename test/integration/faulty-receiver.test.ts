import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { watchOutside } from './outside.ts';
import { admin, callsTo, postJson, publish, type MessageJson } from './relay.ts';

const FAULTY = '4915112380042';
const OTHERS = ['4915112380041', '4915112380043'];
const outbox = env.OUTBOX.getByName('default');

beforeAll(async () => {
  watchOutside();
  await publish({
    sources: {
      alerts: {
        verify: { scheme: 'none' },
        routes: [
          {
            name: 'all',
            to: [OTHERS[0], FAULTY, OTHERS[1]],
            incident: { key: '{{ payload.id }}' },
            send: { kind: 'text', message: '{{ count }} firing' },
          },
        ],
      },
    },
  });
});

it('a receiver whose message cannot be written keeps no other from being notified, and these get one message', async () => {
  await runInDurableObject(outbox, (_, { storage: { sql } }) => {
    sql.exec(
      `CREATE TRIGGER faulty BEFORE INSERT ON messages WHEN NEW.phone = '${FAULTY}'
         BEGIN SELECT RAISE(ABORT, 'it cannot be written'); END`,
    );
  });
  await postJson('alerts', { id: 'disk' });
  await eventually(async () => {
    for (const phone of OTHERS) expect(await callsTo(phone)).toHaveLength(1);
  });
  // The next item has everything looked at again.
  await postJson('alerts', { id: 'fan' });
  await eventually(async () => {
    for (const phone of OTHERS) expect(await callsTo(phone)).toHaveLength(2);
  });
  const { body } = await admin<{ items: readonly MessageJson[] }>('GET', '/messages');
  expect(body.items.map(({ phone, state }) => `${phone} ${state}`).toSorted()).toEqual(
    OTHERS.flatMap((phone) => [`${phone} sent`, `${phone} sent`]),
  );
});
