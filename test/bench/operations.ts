import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '../../scripts/docs/page.ts';
import { buildBundles, bundleHelper, type Bundles } from '../e2e/build.ts';
import { startRelay, type Relay } from '../e2e/relay.ts';
import { contestantOf } from './contestants.ts';
import { counted, countsBy, type Counts, type StatementCounts } from './counts.ts';
import { Lab } from './measure.ts';
import { paymentConfig } from './payment.ts';
import { CommitWatch } from './wal.ts';

/** The way in which webhooks come. */
interface Case {
  readonly events: number;
  readonly connections: number;
  /**
   * The time between the gateway's call for a webhook and the next webhook. Null: webhooks come as fast as they can.
   */
  readonly aloneMs: number | null;
  /** The outbox sleeps before each: a new process has to start it. */
  readonly isCold?: boolean;
  readonly gatewayMs: number;
  readonly account?: object;
}

/** The time that a gateway takes for a call on the way to a phone. */
const GATEWAY_MS = 300;

/** With `aloneMs`, each event waits until the one before it is recorded and the run that sent it is over. */
const CASES = {
  alone: { events: 20, connections: 1, aloneMs: GATEWAY_MS + 150, gatewayMs: GATEWAY_MS },
  'under load': { events: 1_500, connections: 64, aloneMs: null, gatewayMs: 0 },
  'paced backlog': {
    events: 21,
    connections: 4,
    aloneMs: null,
    gatewayMs: GATEWAY_MS,
    account: { rate: { per_minute: 30, burst: 1 } },
  },
  trickle: { events: 6, connections: 1, aloneMs: null, isCold: true, gatewayMs: GATEWAY_MS },
  '30 a minute': {
    events: 11,
    connections: 1,
    aloneMs: 2_000,
    gatewayMs: GATEWAY_MS,
    account: { rate: { per_minute: 60, burst: 5 } },
  },
  // An account of a thousand that share a hundred million events a day: one event every 0.86 s.
  '70 a minute': {
    events: 24,
    connections: 1,
    aloneMs: 860,
    gatewayMs: GATEWAY_MS,
    account: { rate: { per_minute: 80, burst: 5 } },
  },
  burst: { events: 200, connections: 64, aloneMs: null, gatewayMs: GATEWAY_MS },
} as const satisfies Record<string, Case>;
export type CaseName = keyof typeof CASES;
const isCase = (name: string): name is CaseName => Object.hasOwn(CASES, name);

/** By event. */
export interface Operations extends Counts {
  /** Of `setAlarm` as well, and of the deletion of an old event for each new one. */
  readonly allRowsWritten: number;
  /** Commits of the outbox, each with a flush: those that it asked for, and the runtime's own. */
  readonly flushes: number;
  /** The number of events that were counted. */
  readonly events: number;
  /** The growth of the database. With few events, a page more or less. */
  readonly storedBytes: number;
  /** CPU of the whole process, ms. */
  readonly cpuMs: number;
  /** Of the whole case, the start of the object among it. */
  readonly byStatement: readonly StatementCounts[];
}

const HOUR = 3_600_000;
/** Longer than events are kept (30 days): the first sweep deletes them. */
const OLD_MS = (30 * 24 + 1) * HOUR;
/** The last sweep before that, in which nothing has expired: the next one is due again. */
const SWEPT_MS = OLD_MS - 2 * HOUR;
/** After the last call: its record is on disk. */
const SETTLE_MS = 2_000;
/** The alarm that deletes old events comes half a minute after a run; later on a busy machine. */
const SWEPT_WITHIN_MS = 120_000;

/**
 * Counts the operations of an event, in each case beside as many events that are past their `retention`: what is deleted costs
 * as well, and a relay that has run for a month deletes as much as it gets.
 */
export async function countOperations(
  names: readonly CaseName[] = Object.keys(CASES).filter(isCase),
): Promise<ReadonlyMap<CaseName, Operations>> {
  // The relay as it is deployed, except that it counts.
  const bundles = { ...buildBundles(), relay: bundleHelper('test/bench/count-relay.ts') };
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-count-'));
  try {
    // At the same time: what is counted does not depend on how fast it goes.
    const all = await Promise.all(
      names.map(async (name) => [name, await count(CASES[name], bundles, join(folder, name))] as const),
    );
    return new Map(all);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function count(one: Case, bundles: Bundles, storeDir: string): Promise<Operations> {
  const { events, gatewayMs, isCold = false, account = {} } = one;
  const lab = await Lab.open();
  let relay: Relay | null = null;
  const startAt = (clockMs: number): Promise<Relay> =>
    startRelay(bundles, lab.gatewayUrl, storeDir, false, { vars: { TEST_CLOCK_MS: String(clockMs) } });
  try {
    relay = await startAt(0);
    await relay.publish(paymentConfig());
    const empty = await storedBytes(relay);
    await lab.measure(contestantOf(relay), { count: events, connections: 16 });
    await relay.drained();
    const bytes = (await storedBytes(relay)) - empty;
    await relay.kill();
    // A sweep follows the first event.
    relay = await startAt(SWEPT_MS);
    await lab.measure(contestantOf(relay), { count: 1, connections: 1 });
    await sleep(SETTLE_MS);
    await relay.publish(paymentConfig(account));
    lab.answerAfter(gatewayMs);
    const parts: Part[] = [];
    for (let started = 0; started < (isCold ? events : 1); started += 1) {
      await relay.kill();
      relay = await startAt(OLD_MS);
      // The last part has the sweep of all.
      const old = !isCold || started === events - 1 ? events : 0;
      parts.push(await countOnce(lab, relay, { ...one, events: isCold ? 1 : events, old }, storeDir));
    }
    return { ...byEvent(parts, events), events, storedBytes: bytes / events };
  } finally {
    await relay?.kill();
    await lab.close();
  }
}

interface Part {
  readonly counts: Counts;
  readonly statements: readonly StatementCounts[];
  readonly commits: number;
  readonly cpuMs: number;
}

async function countOnce(
  lab: Lab,
  relay: Relay,
  { events, connections, aloneMs, old }: Case & { readonly old: number },
  storeDir: string,
): Promise<Part> {
  const commits = new CommitWatch(join(storeDir, 'objects/relay-Outbox'));
  const { cpuMs } = await lab.measure(contestantOf(relay), { count: events, connections, aloneMs });
  const until = Date.now() + SWEPT_WITHIN_MS;
  while ((await deleted(relay)) < old && Date.now() < until) await sleep(SETTLE_MS);
  await sleep(SETTLE_MS);
  // From the start on: the alarm may have come before the first event.
  const { byStatement, ...counts } = await readCounts(relay);
  return {
    counts,
    commits: commits.stop(),
    cpuMs: (cpuMs ?? 0) * events,
    statements: byStatement,
  };
}

const storedBytes = async (relay: Relay): Promise<number> => (await relay.status()).storage.bytes;

const readCounts = async ({
  url,
}: Relay): Promise<Counts & { readonly byStatement: readonly StatementCounts[] }> =>
  (await fetch(`${url}/__counts`)).json();

/** The number of events that were deleted. */
const deleted = async (relay: Relay): Promise<number> =>
  (await readCounts(relay)).byStatement.find(({ query }) => query.startsWith('DELETE FROM events'))?.times ??
  0;

function byEvent(parts: readonly Part[], events: number): Omit<Operations, 'events' | 'storedBytes'> {
  const mean = (read: (part: Part) => number): number =>
    parts.reduce((sum, part) => sum + read(part), 0) / events;
  const counts = countsBy((name) => mean((part) => part.counts[name]));
  return {
    ...counts,
    allRowsWritten: counts.rowsWritten + counts.alarmsSet,
    flushes: mean(({ commits }) => commits),
    cpuMs: mean(({ cpuMs }) => cpuMs),
    byStatement: parts.flatMap(({ statements }) => statements),
  };
}

/** With fewer events, the pages of the database that are half full count too much. */
const FEW_EVENTS = 100;

const LINES: readonly (readonly [string, (one: Operations) => number])[] = [
  ['rows written, deletion included', ({ allRowsWritten }) => allRowsWritten],
  ['of them by `setAlarm`', ({ alarmsSet }) => alarmsSet],
  ['rows read', ({ rowsRead }) => rowsRead],
  ['statements', ({ statements }) => statements],
  ['commits, each with a flush', ({ flushes }) => flushes],
  ['calls of `storage.sync`', ({ syncs }) => syncs],
  ['calls to the outbox', ({ outboxCalls }) => outboxCalls],
  ['runs of its alarm', ({ alarms }) => alarms],
  ['calls to the registry', ({ registryCalls }) => registryCalls],
  ['reads of KV', ({ kvReads }) => kvReads],
  ['calls to the gateway', ({ gatewayCalls }) => gatewayCalls],
  ['time awake, ms', ({ awakeMs }) => awakeMs],
  ['CPU of the whole process, ms', ({ cpuMs }) => cpuMs],
  [
    'bytes on disk until it is deleted',
    ({ storedBytes, events }) => (events < FEW_EVENTS ? Number.NaN : storedBytes),
  ],
];

export function operationsTable(all: ReadonlyMap<CaseName, Operations>): string {
  const names = [...all.keys()];
  return table(
    ['an event of one message', ...names],
    LINES.map(([title, read]) => [title, ...[...all.values()].map((one) => counted(read(one)))]),
  );
}

/** By how much each statement costs: for who wants to know which row it was. */
export function statementsTable(all: ReadonlyMap<CaseName, Operations>): string {
  return [...all]
    .map(([name, { byStatement }]) => {
      const { events } = CASES[name];
      const rows = byStatement
        .toSorted((a, b) => b.rowsWritten - a.rowsWritten || b.times - a.times)
        .map(({ query, times, rowsRead, rowsWritten }) => [
          ...[rowsWritten, times, rowsRead].map((sum) => (sum / events).toFixed(2)),
          query.replaceAll(/\s+/g, ' ').slice(0, 100),
        ]);
      return table([`${name}: rows written`, 'times', 'rows read', 'statement'], rows);
    })
    .join('\n\n');
}
