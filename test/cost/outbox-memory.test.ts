import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { openStorage, type Storage } from '../../scripts/timelines/database.ts';
import { DEFAULT_ACCOUNT } from '../../src/config/account-policy.ts';
import { freshRow, insertMessage } from '../../src/outbox/accept/rows.ts';
import { MAX_ENTRIES, MAX_OPEN } from '../../src/outbox/incidents/open-incidents.ts';
import { InForce } from '../../src/outbox/incidents/in-force.ts';
import { Incidents } from '../../src/outbox/incidents/incidents.ts';
import { Queue } from '../../src/outbox/send/queue.ts';
import type { AcceptedEvent, DraftItem, DraftMessage } from '../../src/outbox/state/acceptance.ts';

const MIB = 1_048_576;
const NOW = Date.UTC(2026, 6, 1, 12); // fixed date: its own clock
const PORTION = 1_000;
const WAITING = 50_000;

setFlagsFromString('--expose-gc');
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine's own
const collect = runInNewContext('gc') as () => void;

/** The reachable memory, in bytes, with buffers outside of the heap. */
function used(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const phoneOf = (n: number): string => `49151${String(n).padStart(8, '0')}`;

const EVENT: AcceptedEvent = {
  id: 'evt_1',
  source: 'alerts',
  type: null,
  itemWindowMs: 60_000,
  state: 'routed',
  reason: null,
  receivedAt: NOW,
  dedupe: null,
  signed: null,
  payload: '{}',
  headers: '{}',
  query: '{}',
  configVersion: 1,
  activation: 1,
  stored: true,
  replay: null,
};

/** As Alertmanager's: a fingerprint, and a few labels. */
const itemOf = (n: number, receivers: number): DraftItem => ({
  route: 'on-call',
  index: 1,
  phones: Array.from({ length: receivers }, (_, at) => phoneOf(at)),
  key: `${String(n).padStart(8, '0')}c0ffee00`,
  isResolved: false,
  flapping: null,
  group: null,
  inhibitedBy: [],
  value: JSON.stringify({ labels: { alertname: 'Down', instance: `host-${n}` } }),
});

const incidentsIn = (storage: Storage): Incidents =>
  new Incidents({
    storage,
    inForce: new InForce(storage.sql),
    policyIn: () => DEFAULT_ACCOUNT,
    updateAt: () => NOW,
    queue: () => null,
    rewrite: (row) => row,
    isUnderWay: () => false,
    hurry: () => undefined,
    onBeyond: () => undefined,
    onNobody: () => undefined,
    onMoved: () => undefined,
    onNotified: () => undefined,
    wakeAt: () => undefined,
    account: () => 'default',
    clock: () => NOW,
  });

/** More incidents than an account keeps, each with N receivers. */
function fillIncidents(storage: Storage, receivers: number): void {
  const incidents = incidentsIn(storage);
  for (let from = 0; from < MAX_OPEN + PORTION; from += PORTION) {
    const items = Array.from({ length: PORTION }, (_, n) => itemOf(from + n, receivers));
    storage.transactionSync(() => incidents.take(EVENT, items));
  }
}

function fillMessages({ sql, transactionSync }: Storage, count: number): void {
  const message = {
    route: 'all',
    kind: 'text',
    params: { message: 'hello' },
    delayMs: 0,
    expiresMs: null,
    onUncertain: 'retry',
    forget: false,
  } as const;
  const draftOf = (seq: number): DraftMessage => ({
    ...message,
    phone: phoneOf(seq),
    priority: seq % 2 === 0 ? 'high' : 'normal',
  });
  const origin = { event: null, source: 'shop', since: NOW, configVersion: 1 };
  transactionSync(() => {
    for (let seq = 1; seq <= count; seq += 1)
      insertMessage({ sql, now: NOW }, freshRow(seq, NOW, origin, draftOf(seq)));
  });
}

function loadAll(queue: Queue): number {
  for (let size = -1; size !== queue.turns.size;) {
    size = queue.turns.size;
    queue.load(NOW);
  }
  return queue.turns.size;
}

describe('the memory of an object that starts', () => {
  it('with all that an account keeps open, of all receivers, and all that waits in memory, is less than 64 MiB', () => {
    const receivers = MAX_ENTRIES / MAX_OPEN;
    const storage = openStorage();
    fillIncidents(storage, receivers);
    fillMessages(storage, 2 * WAITING);
    const before = used();
    const incidents = incidentsIn(storage);
    const queue = new Queue({ sql: storage.sql, cursor: 0, isInFlight: () => false });
    expect(incidents.open.size).toBe(MAX_OPEN * receivers);
    expect(loadAll(queue)).toBeGreaterThanOrEqual(WAITING);
    const mib = (used() - before) / MIB;
    // Both are held until now.
    expect([incidents.open.size, queue.turns.size]).not.toContain(0);
    expect(mib).toBeLessThan(64);
  });
});
