import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registry } from '../../src/config/registry-client.ts';
import { openStore, type StoreSchema } from '../../src/lib/store.ts';
import { OUTBOX_STORE } from '../../src/outbox/state/schema.ts';
import type { NewSession } from '../../src/registry/sessions.ts';
import { REGISTRY_STORE } from '../../src/registry/schema.ts';
import { diskOf, isRecord, type Disk } from '../outbox/full-disk.ts';
import { eventually } from '../eventually.ts';
import { gatewayAnswers, status, watchOutside } from './outside.ts';
import { outbox, take } from './posted.ts';
import {
  admin,
  callsTo,
  event,
  isSent,
  listOf,
  message,
  postJson,
  publish,
  textsTo,
  UNPACED,
  type MessageJson,
} from './relay.ts';
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
    await runInDurableObject(outbox(), (object) => object.pause('anna', 'a test'));
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

const formOf = (template: object) =>
  open([toPhone('hello', template)], { dedupe: { key: '{{ payload.id }}' } });

const tablesOf = ({ migrations }: StoreSchema): readonly string[] =>
  migrations
    .flatMap(({ statements }) => statements)
    .flatMap((statement) => [...statement.matchAll(/CREATE TABLE (\w+)/g)].map(([, table = '']) => table));

/** The number of rows in each table. Expects that newer code finds the default in all of them. */
const rowsOf = (stub: DurableObjectStub, schema: StoreSchema): Promise<Record<string, number>> =>
  runInDurableObject(stub, (_, { storage: { sql } }) =>
    Object.fromEntries(
      tablesOf(schema).map((table) => {
        const rows = sql.exec<{ added: string }>(`SELECT added FROM ${table}`).toArray();
        expect(rows.filter(({ added }) => added !== 'default')).toEqual([]);
        return [table, rows.length];
      }),
    ),
  );

/** The next release adds a column to each table, opens the object, and the Worker is rolled back to this one. */
async function rollBack(stub: DurableObjectStub, schema: StoreSchema): Promise<void> {
  const statements = tablesOf(schema).map(
    (table) => `ALTER TABLE ${table} ADD COLUMN added TEXT NOT NULL DEFAULT 'default'`,
  );
  const next = { ...schema, migrations: [...schema.migrations, { statements }] };
  await runInDurableObject(stub, (_, { storage }) => openStore(storage, next));
  await evictDurableObject(stub);
}

describe('after a rollback', () => {
  const NOW = Date.now();
  const SET = { sources: { form: formOf({}), alarms: formOf({ throttle: { max: 9, per: '1h' } }) } };

  beforeAll(async () => {
    await rollBack(outbox('sales'), OUTBOX_STORE);
    await rollBack(registry(env), REGISTRY_STORE);
    await publish({
      accounts: { sales: UNPACED },
      sources: {
        form: { ...SET.sources.form, account: 'sales' },
        alarms: { ...SET.sources.alarms, account: 'sales' },
      },
    });
  });

  it('an outbox goes on, and its rows are whole for the newer release', async () => {
    const [phone, other] = [newPhone(), newPhone()];
    const accepted = await take('form', { id: 'one', phone: `+${phone}` });
    await message(accepted.messages[0] ?? '', isSent);
    const again = await take('form', { id: 'one', phone: `+${phone}` });
    expect(again).toMatchObject({ event: accepted.event, duplicate: true });
    await take('alarms', { id: 'two', phone: `+${other}` });
    await eventually(async () => expect(await callsTo(other)).toHaveLength(1));
    expect(await callsTo(phone)).toHaveLength(1);
    expect(await event(accepted.event)).toMatchObject({ state: 'routed', duplicates: 1 });
    const rows = await rowsOf(outbox('sales'), OUTBOX_STORE);
    const written = Object.keys(rows).filter((table) => (rows[table] ?? 0) > 0);
    const some = ['events', 'dedupe_claims', 'messages', 'checkpoint', 'meta', 'incidents'];
    expect(written).toEqual(expect.arrayContaining(some));
    const version = await runInDurableObject(outbox('sales'), (_, { storage: { sql } }) =>
      sql.exec('SELECT version FROM store_version').one(),
    );
    expect(version).toEqual({ version: OUTBOX_STORE.migrations.length + 1 });
  });

  it('the registry goes on: publishes, silences, pairings, sessions, rejections and rounds', async () => {
    const stub = registry(env);
    const HOUR = 3_600_000;
    const session: NewSession = {
      id: 'code',
      role: 'editor',
      actor: 'token',
      client: 'Firefox',
      created_at: NOW,
      expires_at: NOW + HOUR,
      opens_until: NOW + HOUR,
      made_by: null,
      invited_by: null,
    };
    const document = { when: 'true', until: new Date(NOW + 60_000).toISOString(), reason: 'x' };
    expect(await stub.addSilence(document, 'ada', NOW)).not.toBeNull();
    await stub.openPairing('form', NOW);
    const offer = { at: NOW, address: null, userAgent: null };
    expect(await stub.capturePairing('form', 'key', offer)).toBe('kept');
    expect(await stub.takePairing('form', NOW)).toMatchObject({ secret: 'key' });
    await stub.addSession(session);
    expect(await stub.redeemCode('code', { id: 'browser', client: null }, NOW)).toBe(NOW + HOUR);
    expect(await stub.findSession('browser', NOW + 120_000)).toEqual({ actor: 'token' });
    const seen = { ...session, id: 'browser', client: null, opens_until: null, seen_at: NOW + 120_000 };
    expect(await stub.sessions(NOW)).toEqual([seen]);
    const at = new Date(NOW).toISOString();
    const rejection = { at, source: 'form', status: 401, code: 'mismatch', detail: '' } as const;
    for (let times = 0; times < 2; times += 1) await stub.recordRejection(rejection);
    expect(await stub.rejections(9, null)).toHaveLength(1);
    const entry = { ...rejection, status: 202, code: 'spam', spam: 'links', detail: 'x' } as const;
    await stub.recordSpam({ entry, event: 'evt_spam', digest: 'digest', sameMs: 60_000, form: '{}' });
    await stub.suppress({ phone: newPhone(), by: 'ada', reason: 'asked' }, NOW);
    expect((await admin('POST', '/config?managed=true', { ...SET, templates: {} })).status).toBe(200);
    await runDurableObjectAlarm(stub);
    const rows = await rowsOf(stub, REGISTRY_STORE);
    const unused = new Set([
      'removed_accounts',
      'copy_retry',
      'series',
      'opt_ins',
      'built',
      'calendars',
      'overrides',
    ]);
    expect(Object.keys(rows).filter((table) => rows[table] === 0 && !unused.has(table))).toEqual([]);
  });

  it('to a release that cannot read the tables, a sender hears to try again, so that nothing is lost', async () => {
    await runInDurableObject(outbox(), (_, { storage: { sql } }) => {
      sql.exec('UPDATE store_version SET readable_since = version + 1');
    });
    await evictDurableObject(outbox());
    const refused = await postJson('form', { id: 'three', phone: `+${newPhone()}` });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  });
});
