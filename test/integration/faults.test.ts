import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { diskOf, isRecord, type Disk } from '../outbox/full-disk.ts';
import { eventually } from '../eventually.ts';
import { gatewayAnswers, status, watchOutside } from './outside.ts';
import { outbox, take } from './posted.ts';
import { admin, callsTo, listOf, postJson, publish, textsTo, UNPACED, type MessageJson } from './relay.ts';
import { newPhone, open, text, toPhone } from './sources.ts';

beforeAll(watchOutside);

const listed = (phone: string) => listOf<MessageJson>(`/messages?phone=${phone}`);
const statesAre = (phone: string, ...states: readonly string[]) =>
  eventually(async () => expect((await listed(phone)).map(({ state }) => state)).toEqual(states));

/** The belief of the receivers of the source's only incident, or the reason why they wait. */
const receiversOf = async (from: string) =>
  (await listOf<{ receivers: { notified_at?: string }[] }>(`/incidents?state=open&source=${from}`)).flatMap(
    ({ receivers }) => receivers,
  );

const post = (from: string, phone: string) => take(from, { phone: `+${phone}`, id: 'disk' });

let isMeant = (_query: string): boolean => false;

const source = (send: object, route: object) =>
  open([toPhone({ ...text('alert {{ payload.id }}'), ...send }, route)]);

describe('a write that fails once', () => {
  const IN_OTHER_WORDS = text('in other words');
  const INCIDENT = { incident: { key: '{{ payload.id }}', resolved: 'payload.is_over' } };
  const URGENT = { priority: 'high' };

  let disk: Disk;
  /** From now on, the next such write fails; `isRecorded` false: the next one after the record of a call. */
  function failOnce(write: string | RegExp, isRecorded = false): void {
    isMeant = (query) => {
      isRecorded ||= isRecord(query);
      return isRecorded && (typeof write === 'string' ? query.includes(write) : write.test(query));
    };
    disk.fails = 1;
  }

  beforeAll(async () => {
    const account = { ...UNPACED, retry: ['100ms'], circuit: { failures: 1_000 } };
    const escape = { after: '1h', via: { account: 'sales' } };
    await publish({
      accounts: { default: { ...account, escape }, sales: account },
      sources: {
        twice: source({ fallback: [IN_OTHER_WORDS] }, URGENT),
        alerts: source({ fallback: [IN_OTHER_WORDS] }, INCIDENT),
        urgent: source({}, { ...INCIDENT, ...URGENT }),
        later: source({ fallback: [{ ...IN_OTHER_WORDS, account: 'sales', after: '1h' }] }, INCIDENT),
      },
    });
  });
  beforeEach(async () => {
    await evictDurableObject(outbox());
    disk = await runInDurableObject(outbox(), (_, { storage: { sql } }) =>
      diskOf(sql, (query) => isMeant(query)),
    );
  });

  it('brings no second fallback when it is the escape of the first, or what its receiver knows', async () => {
    for (const [from, write] of [
      ['twice', 'INTO escapes'],
      ['alerts', /^\s*(UPDATE|INSERT INTO) incidents/],
    ] as const) {
      const phone = newPhone();
      gatewayAnswers(phone, status(400));
      failOnce(write);
      await post(from, phone);
      await eventually(() => expect(disk.fails).toBe(0));
      // Any later commit writes the record.
      await post('twice', newPhone());
      await statesAre(phone, 'sent', 'dead');
      expect(await textsTo(phone)).toEqual(['in other words']);
    }
  });

  it('leaves what its receiver knows to be written with the message, for a restart to read', async () => {
    const phone = newPhone();
    failOnce('DELETE FROM escapes');
    await post('urgent', phone);
    await eventually(() => expect(disk.fails).toBe(0));
    await post('twice', newPhone());
    await statesAre(phone, 'sent');
    await evictDurableObject(outbox());
    expect(await receiversOf('urgent')).toMatchObject([{ notified_at: expect.any(String) as unknown }]);
  });

  it('leaves its receiver to wait for a message that a person could not cancel', async () => {
    const phone = newPhone();
    await admin('POST', '/accounts/default/pause');
    await post('later', phone);
    await statesAre(phone, 'queued');
    const before = await receiversOf('later');
    failOnce('DELETE FROM handings', true);
    const [{ id } = { id: '' }] = await listed(phone);
    expect((await admin('POST', `/messages/${id}/cancel`)).status).toBeGreaterThanOrEqual(500);
    expect(disk.fails).toBe(0);
    expect(await receiversOf('later')).toEqual(before);
    await admin('POST', '/accounts/default/resume');
    await statesAre(phone, 'sent');
    expect(await callsTo(phone)).toHaveLength(1);
  });
});

const called = async (phone: string) => (await callsTo(phone)).length;

const attempts = async (phone: string, source: string) =>
  (await listed(phone))
    .filter((one) => one.source === source)
    .map((one) => `${one.state} ${one.attempts.length}`);

const repair = (): Promise<void> =>
  runInDurableObject(outbox(), (_, { storage: { sql } }) => void sql.exec('DROP TRIGGER IF EXISTS faulty'));

const publishTo = (source: string, to: readonly string[], words = '{{ count }} firing'): Promise<void> => {
  const route = { name: 'all', to, incident: { key: '{{ payload.id }}' }, send: text(words) };
  return publish({ sources: { [source]: open([route]) } });
};

describe('a receiver of whom nothing can be written', () => {
  const OTHERS = [newPhone(), newPhone()];
  let faulty = '';
  /** From now on, such a write of a row of that receiver throws. */
  const breakWrites = (write: string): Promise<void> =>
    runInDurableObject(outbox(), (_, { storage: { sql } }) => {
      sql.exec(
        `CREATE TRIGGER faulty BEFORE ${write} WHEN NEW.phone = '${faulty}'
           BEGIN SELECT RAISE(ABORT, 'it cannot be written'); END`,
      );
    });

  // Each has a receiver of its own, since one rests after a fault.
  beforeEach(() => void (faulty = newPhone()));
  afterEach(repair);

  it('keeps no other from being notified, and these get one message, if it is a new message', async () => {
    await publishTo('fresh', [OTHERS[0] ?? '', faulty, OTHERS[1] ?? '']);
    await breakWrites('INSERT ON messages');
    // The second item has everything looked at again.
    for (const [at, id] of ['disk', 'fan'].entries()) {
      await postJson('fresh', { id });
      for (const phone of OTHERS)
        await eventually(async () => expect(await callsTo(phone)).toHaveLength(at + 1));
    }
    for (const phone of OTHERS) await statesAre(phone, 'sent', 'sent');
    expect(await listed(faulty)).toEqual([]);
  });

  it('keeps no other from getting theirs, if it is a queued message that is brought up to date', async () => {
    const to = [OTHERS[0] ?? '', faulty, OTHERS[1] ?? ''];
    await publishTo('queued', to);
    await runInDurableObject(outbox(), (object) => object.pause('anna'));
    await postJson('queued', { id: 'cpu' });
    await publishTo('queued', to, '{{ count }} open');
    await breakWrites('UPDATE OF params ON messages');
    await runInDurableObject(outbox(), (object) => object.resume());
    await postJson('queued', { id: 'net' });
    for (const other of OTHERS) {
      await eventually(async () => expect(await attempts(other, 'queued')).toEqual(['sent 1', 'sent 1']));
      expect((await textsTo(other)).slice(-2)).toEqual(['1 open', '1 open']);
    }
    expect(await attempts(faulty, 'queued')).toContain('queued 0');
  });

  it('gets one message about each incident, if it is what they know that cannot be written', async () => {
    await publishTo('unknown', [faulty]);
    await breakWrites('UPDATE OF state ON incidents');
    for (const id of ['disk', 'fan', 'net']) {
      await postJson('unknown', { id });
      await eventually(async () => expect(await called(faulty)).toBe(1));
      await runDurableObjectAlarm(outbox());
    }
    expect(await attempts(faulty, 'unknown')).toEqual(['queued 0', 'sending 0']);
    await repair();
    await postJson('unknown', { id: 'cpu' });
    await eventually(async () => expect(await attempts(faulty, 'unknown')).toContain('sent 1'));
    expect((await attempts(faulty, 'unknown')).length).toBeLessThanOrEqual(4);
  });

  it('keeps no other from being called, if it is the record of a call', async () => {
    const name = 'recorded';
    const [other = ''] = OTHERS;
    await publishTo(name, [faulty, other]);
    await breakWrites('UPDATE OF attempts ON messages');
    const before = await called(other);
    await postJson(name, { id: 'disk' });
    await eventually(async () => expect(await called(faulty)).toBe(1));
    for (let more = 1; more <= 12; more += 1) {
      await postJson(name, { id: `more-${more}` });
      await eventually(async () => expect(await called(other)).toBeGreaterThanOrEqual(before + more));
    }
    // The alarm tries again, in vain, and comes again for it.
    await runDurableObjectAlarm(outbox());
    const at = await runInDurableObject(outbox(), (_, { storage }) => storage.getAlarm());
    expect((at ?? Infinity) - Date.now()).toBeLessThan(40_000);
    await repair();
    // Any later commit writes the record.
    await postJson(name, { id: 'last' });
    await eventually(async () => {
      const all = await attempts(faulty, name);
      expect(all.length).toBeGreaterThan(1);
      expect(all).toEqual(all.map(() => 'sent 1'));
      expect(await called(faulty)).toBe(all.length);
    });
  });
});

it('while an outbox has tables that this release cannot use, a sender hears to try again, so that nothing is lost', async () => {
  await publish({ sources: { form: open([toPhone('hello')]) } });
  await runInDurableObject(outbox(), (_, { storage: { sql } }) => {
    sql.exec('UPDATE store_version SET version = version + 1');
  });
  await evictDurableObject(outbox());
  const refused = await postJson('form', { id: 'three', phone: `+${newPhone()}` });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
});
