import { env } from 'cloudflare:workers';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { diskOf, isRecord, type Disk } from '../outbox/full-disk.ts';
import { eventually } from '../eventually.ts';
import { gatewayAnswers, status, watchOutside } from './outside.ts';
import { admin, callsTo, postJson, publish, UNPACED, type MessageJson } from './relay.ts';

const outbox = env.OUTBOX.getByName('default');

const TEXT = { kind: 'text', message: 'alert {{ payload.id }}' };
const IN_OTHER_WORDS = { kind: 'text', message: 'in other words' };
const INCIDENT = { incident: { key: '{{ payload.id }}', resolved: 'payload.is_over' } };

const source = (send: object, route: object) => ({
  verify: { scheme: 'none' },
  limit: false,
  routes: [{ name: 'all', to: '{{ payload.phone }}', send: { ...TEXT, ...send }, ...route }],
});

const URGENT = { priority: 'high' };
const LATER = { ...IN_OTHER_WORDS, account: 'sales', after: '1h' };

beforeAll(async () => {
  watchOutside();
  const account = { ...UNPACED, retry: ['100ms'], circuit: { failures: 1_000 } };
  await publish({
    accounts: { default: { ...account, escape: { after: '1h', via: { account: 'sales' } } }, sales: account },
    sources: {
      twice: source({ fallback: [IN_OTHER_WORDS] }, URGENT),
      urgent: source({}, { ...INCIDENT, ...URGENT }),
      later: source({ fallback: [LATER] }, INCIDENT),
    },
  });
});

let isMeant = (_query: string): boolean => false;
let disk: Disk;

/** From now on, the next such write fails; `isRecorded` false: the next one after the record of a call. */
function failOnce(write: string, isRecorded = false): void {
  isMeant = (query) => {
    isRecorded ||= isRecord(query);
    return isRecorded && query.includes(write);
  };
  disk.fails = 1;
}

beforeEach(async () => {
  await evictDurableObject(outbox);
  disk = await runInDurableObject(outbox, (_, { storage: { sql } }) =>
    diskOf(sql, (query) => isMeant(query)),
  );
});

const listed = async (phone: string): Promise<readonly MessageJson[]> =>
  (await admin<{ items: readonly MessageJson[] }>('GET', `/messages?phone=${phone}`)).body.items;
const statesOf = async (phone: string) => (await listed(phone)).map(({ state }) => state);
const post = async (from: string, phone: string): Promise<void> => {
  expect((await postJson(from, { phone: `+${phone}`, id: 'disk' })).ok).toBe(true);
};

/** The belief of the receivers of the source's only incident, or the reason why they wait. */
async function receiversOf(from: string): Promise<readonly { notified_at?: string | null }[]> {
  const { body } = await admin<{ items: { receivers: { notified_at?: string | null }[] }[] }>(
    'GET',
    `/incidents?state=open&source=${from}`,
  );
  return body.items.flatMap(({ receivers }) => receivers);
}

describe('a write that fails once', () => {
  it('brings no second fallback when it is the escape of the first', async () => {
    const phone = '4915112430001';
    gatewayAnswers(phone, status(400));
    failOnce('INTO escapes');
    await post('twice', phone);
    await eventually(() => expect(disk.fails).toBe(0));
    // Any later commit writes the record.
    await post('twice', '4915112430009');
    await eventually(async () => expect(await statesOf(phone)).toEqual(['sent', 'dead']));
    expect(await callsTo(phone)).toHaveLength(1);
  });

  it('leaves what its receiver knows to be written with the message, for a restart to read', async () => {
    const phone = '4915112430002';
    failOnce('DELETE FROM escapes');
    await post('urgent', phone);
    await eventually(() => expect(disk.fails).toBe(0));
    await post('twice', '4915112430009');
    await eventually(async () => expect(await statesOf(phone)).toEqual(['sent']));
    await evictDurableObject(outbox);
    const [receiver] = await receiversOf('urgent');
    expect(typeof receiver?.notified_at).toBe('string');
  });

  it('leaves its receiver to wait for a message that a person could not cancel', async () => {
    const phone = '4915112430003';
    await admin('POST', '/accounts/default/pause');
    await post('later', phone);
    await eventually(async () => expect(await statesOf(phone)).toEqual(['queued']));
    const before = await receiversOf('later');
    failOnce('DELETE FROM handings', true);
    const [{ id } = { id: '' }] = await listed(phone);
    expect((await admin('POST', `/messages/${id}/cancel`)).status).toBeGreaterThanOrEqual(500);
    expect(disk.fails).toBe(0);
    expect(await receiversOf('later')).toEqual(before);
    await admin('POST', '/accounts/default/resume');
    await eventually(async () => expect(await statesOf(phone)).toEqual(['sent']));
    expect(await callsTo(phone)).toHaveLength(1);
  });
});
