import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { table } from '../../scripts/docs/page.ts';
import { freshRow, insertMessage } from '../../src/outbox/accept/rows.ts';
import { NEW, type Incident } from '../../src/outbox/incidents/incident.ts';
import { MAX_ENTRIES, MAX_OPEN } from '../../src/outbox/incidents/open-incidents.ts';
import { Incidents } from '../../src/outbox/incidents/incidents.ts';
import { writeItem } from '../../src/outbox/incidents/store.ts';
import { iso } from '../../src/lib/time.ts';
import { openStore } from '../../src/lib/store.ts';
import { writeFact, OUTBOX_KEY } from '../../src/outbox/state/meta.ts';
import { OUTBOX_STORE } from '../../src/outbox/state/schema.ts';
import { Queue } from '../../src/outbox/send/queue.ts';
import { draftSample, NOBODY } from '../outbox/samples.ts';
import { simulatedStorage } from '../platform/storage.ts';
import { writePage } from './page.ts';

const MIB = 1_048_576;
/** The waiting messages of an object that are in memory, at most. */
const WAITING = 50_000;
/** The most rows of them, just accepted or read ahead. */
const ROWS = 2_000;
const RECEIVERS = MAX_ENTRIES / MAX_OPEN;
const NOW = Date.UTC(2026, 6, 1, 12); // fixed date: its own clock
const HOUR = 3_600_000;

setFlagsFromString('--expose-gc');
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine's own
const collect = runInNewContext('gc') as () => void;

/** The reachable memory, in bytes, with buffers outside of the heap. */
function used(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The open incidents that memory is filled with. */
interface IncidentsOf {
  readonly source: string;
  readonly route: string;
  readonly key: (n: number) => string;
  /** The item, as JSON. */
  readonly value: (n: number) => string;
  /** The values that it shares with its group; null: each incident is a group of its own. */
  readonly group: (n: number) => string | null;
  readonly inhibitedBy: (n: number) => readonly string[];
  /** The history of an incident that has just opened. */
  readonly history: Partial<Incident>;
  /** True if a message about each waits, one for each receiver. */
  readonly isQueued: boolean;
}

/** The waiting messages that memory is filled with. */
type MessagesOf = Pick<IncidentsOf, 'route'> & {
  readonly source: (n: number) => string;
  readonly text: string;
};

const labelled = (labels: object): string => JSON.stringify({ labels });

/** As those of Alertmanager: a fingerprint, and two labels. */
const SHORT: IncidentsOf = {
  source: 'alerts',
  route: 'on-call',
  key: (n) => `${String(n).padStart(8, '0')}c0ffee00`,
  value: (n) => labelled({ alertname: 'Down', instance: `host-${n}` }),
  group: () => null,
  inhibitedBy: () => [],
  history: {},
  isQueued: false,
};

const SHORT_MESSAGES: MessagesOf = { source: () => 'shop', route: 'all', text: 'hello' };

/** A key of 72 characters: what is wrong, and where. */
const longKey = (n: number): string =>
  `KubePersistentVolumeFillingUp/prod-eu-central-1/payments/pvc-${String(n).padStart(11, '0')}`;

/** A title of 200 characters and twelve labels. */
const longValue = (n: number): string =>
  labelled({
    title: `The volume of ${longKey(n)} will be full in four hours. `.padEnd(200, 'x'),
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`label_${at}`, `value-${at}-of-the-incident-${n}`]),
    ),
  });

/** Ten incidents share their values. */
const longGroup = (n: number): string =>
  JSON.stringify(['KubePersistentVolumeFillingUp', `prod-eu-central-1/payments-${n % 1_000}`]);

/** A text with slashes can mean a key, or the name of a route and a key. */
const longInhibitors = (n: number): readonly string[] => [
  `alertmanager-production/on-call-platform/KubeNodeNotReady/prod-eu-central-1/node-${n % 200}`,
  'alertmanager-production/on-call-platform/ClusterUnreachable/prod-eu-central-1',
];

const BY = 'marie.schneider@platform.example.com';

/** It flapped, has escalated, somebody has it, and its earlier items were held back. */
const HISTORIES = {
  flapping: { changes: [1, 2, 3, 4, 5, 6].map((n) => NOW - n * HOUR), flapping: 'notified' },
  escalated: {
    escalation: {
      from: NOW - 2 * HOUR,
      pausedAt: null,
      taken: [
        { step: 1, afterMs: HOUR, at: NOW - HOUR, to: ['platform-second-line'] },
        { step: 2, afterMs: 2 * HOUR, at: NOW, to: ['platform-managers', 'duty-officer'] },
      ],
      isCalled: true,
    },
  },
  acknowledged: {
    acknowledged: { by: BY, at: NOW - HOUR, others: [{ by: `second.${BY}`, at: NOW - HOUR / 2 }] },
  },
  outcomes: {
    items: 12,
    outcomes: [
      { to: 3, outcome: 'silenced', by: 'sil_01JY8Q6M9T4W' },
      { to: 6, outcome: 'inhibited', by: longInhibitors(1)[0] ?? '' },
      { to: 9, outcome: 'summarized', about: 9, seq: 4_711 },
    ],
  },
} as const satisfies Record<string, Partial<Incident>>;

/** Long names, keys and texts; nothing has happened to them since they opened. */
const LONG: IncidentsOf = {
  ...SHORT,
  source: 'alertmanager-production',
  route: 'on-call-platform',
  key: longKey,
  value: longValue,
};

/** The same, with all that can happen to an incident, and a message about each that waits. */
const FULL: IncidentsOf = {
  ...LONG,
  inhibitedBy: longInhibitors,
  history: {
    ...HISTORIES.flapping,
    ...HISTORIES.escalated,
    ...HISTORIES.acknowledged,
    ...HISTORIES.outcomes,
  },
  isQueued: true,
};

/** The differences from {@link SHORT}, each by itself. */
const PARTS: Readonly<Record<string, Partial<IncidentsOf>>> = {
  'titles of 200 characters and 12 labels': { value: longValue },
  'a source of 23 characters, a route of 16': { source: LONG.source, route: LONG.route },
  'keys of 72 characters instead of 16': { key: longKey },
  'six changes that flapping looks at': { history: HISTORIES.flapping },
  'two people who have it': { history: HISTORIES.acknowledged },
  'an `inhibited_by` that can mean two incidents': { inhibitedBy: longInhibitors },
  'three outcomes of its earlier items': { history: HISTORIES.outcomes },
  'two steps of `escalate`, to three lists': { history: HISTORIES.escalated },
  'a waiting message about it': { isQueued: true },
  'a group with nine others': { group: longGroup },
};

/** A text of 400 characters, and sources of 20 characters. */
const LONG_MESSAGES: MessagesOf = {
  source: (n) => `shop-of-country-${String(n % 40).padStart(4, '0')}`,
  route: 'order-confirmations',
  text: 'Your order has been shipped. '.padEnd(400, 'x'),
};

const phoneOf = (n: number): string => `49151${String(n).padStart(8, '0')}`;

const incidentsIn = (storage: DurableObjectStorage): Incidents =>
  new Incidents({
    sql: storage.sql,
    ...NOBODY,
    clock: () => NOW,
  });

/** As many incidents as an account keeps, of all its sources, each with as many receivers as all of them may have. */
function fillIncidents(storage: DurableObjectStorage, of: IncidentsOf): void {
  const opened: Incident = {
    ...NEW,
    items: 1,
    occurrences: 1,
    openedAt: NOW,
    resolvedAt: null,
    heardAt: NOW,
  };
  const isNotified = Object.keys(of.history).length > 0;
  const notified = { believed: 'open', notifiedIn: 1, notifiedAt: NOW } as const;
  const incident: Incident = isNotified ? { ...opened, ...notified, ...of.history } : opened;
  const { source, route } = of;
  storage.transactionSync(() => {
    for (let n = 0; n < MAX_OPEN; n += 1) {
      const event = { id: `evt_${n}`, type: null, source, received_at: iso(NOW), dedupe_key: null };
      const grouping = { grouped: of.group(n), inhibitedBy: of.inhibitedBy(n) };
      const content = { ...grouping, event, value: of.value(n), stored: true };
      for (let at = 0; at < RECEIVERS; at += 1) {
        const ref = { source, route, key: of.key(n), phone: phoneOf(at) };
        writeItem(storage.sql, ref, { known: null, incident, now: NOW }, content);
      }
    }
  });
}

const originOf = (source: string) => ({ event: null, source, since: NOW, configVersion: 1 });

/** One message about each incident for each receiver; those of a group are one. Returns the number of messages. */
function queueAbout(storage: DurableObjectStorage, of: IncidentsOf): number {
  const groups = Map.groupBy(
    Array.from({ length: MAX_OPEN }, (_, n) => n),
    (n) => of.group(n) ?? n,
  );
  let seq = 0;
  storage.transactionSync(() => {
    for (let at = 0; at < RECEIVERS; at += 1)
      for (const members of groups.values()) {
        const [first = 0] = members;
        const group = of.group(first);
        const says = {
          form: 'group',
          groups: [group === null ? `#${of.key(first)}` : `=${group}`],
          incidents: members.map((n) => [of.key(n), 'open', 1, 1]),
          isFree: false,
          endsHold: false,
          missed: 0,
        };
        seq += 1;
        const draft = draftSample({
          phone: phoneOf(at),
          route: of.route,
          params: { message: of.value(first) },
          says,
        });
        insertMessage({ sql: storage.sql, now: NOW }, freshRow(seq, NOW, originOf(of.source), draft));
      }
  });
  return seq;
}

/** The row of a waiting message, numbered from 1. */
function waitingRow(of: MessagesOf, seq: number, message = of.text) {
  const priority = seq % 2 === 0 ? 'high' : 'normal';
  const draft = draftSample({ phone: phoneOf(seq), route: of.route, params: { message }, priority });
  return freshRow(seq, NOW, originOf(of.source(seq)), draft);
}

function fillMessages(storage: DurableObjectStorage, of: MessagesOf, from: number, count: number): void {
  storage.transactionSync(() => {
    for (let seq = from + 1; seq <= from + count; seq += 1)
      insertMessage({ sql: storage.sql, now: NOW }, waitingRow(of, seq));
  });
}

function loadAll(queue: Queue): void {
  for (let size = -1; size !== queue.turns.size;) {
    size = queue.turns.size;
    queue.load(NOW);
  }
}

/** Has the rows of the next messages kept as well, as those of messages that were just accepted. */
function keepRows(queue: Queue, of: MessagesOf): void {
  for (let n = 1; n <= ROWS; n += 1)
    queue.accepted([{ row: waitingRow(of, n, `${n} ${of.text}`), receivedAt: NOW }]);
}

/**
 * The memory of an outbox that has just started, in bytes: with all that an account keeps open, and all that waits in memory. Throws
 * when it holds less.
 */
function measureOutbox(
  of: IncidentsOf,
  messages: MessagesOf | null,
): { incidents: number; messages: number } {
  const storage = simulatedStorage();
  openStore(storage, OUTBOX_STORE);
  writeFact(storage.sql, OUTBOX_KEY, 'key');
  fillIncidents(storage, of);
  const about = of.isQueued ? queueAbout(storage, of) : 0;
  const before = used();
  const incidents = incidentsIn(storage);
  // They are read when they are asked for.
  const entries = incidents.open.size;
  const withIncidents = used();
  if (messages === null) return { incidents: withIncidents - before, messages: 0 };
  fillMessages(storage, messages, about, 2 * WAITING);
  const beforeQueue = used();
  const queue = new Queue({ sql: storage.sql, cursor: 0, isInFlight: () => false });
  keepRows(queue, messages);
  loadAll(queue);
  const after = used();
  // Both are held until now.
  if (incidents.open.size !== entries || entries !== MAX_ENTRIES || queue.turns.size < WAITING)
    throw new Error(`${entries} entries, ${queue.turns.size} waiting: not all that there may be`);
  return { incidents: withIncidents - before, messages: after - beforeQueue };
}

/** The memory of a fixed list of plain objects, beside which the others stand: as many as there are entries, each with a key. */
function measureReference(): number {
  const before = used();
  const list = Array.from({ length: MAX_ENTRIES }, (_, n) => ({
    key: longKey(n),
    at: NOW + n,
    to: [n, n + 1],
    by: null,
  }));
  const bytes = used() - before;
  if (list.length !== MAX_ENTRIES) throw new Error('the list is held until now');
  return bytes;
}

const mib = (bytes: number): string => (bytes / MIB).toFixed(1);
const count = (value: number): string => value.toLocaleString('en-US');

/** What is measured, and the most that it may be as a multiple of the reference. */
const CASES = [
  { name: 'short', incidents: SHORT, messages: SHORT_MESSAGES, most: 11 },
  { name: 'long', incidents: LONG, messages: LONG_MESSAGES, most: 11 },
  { name: 'long, with a history', incidents: FULL, messages: LONG_MESSAGES, most: 21 },
];

/**
 * `npx node test/bench/outbox-memory.ts`: the memory of an outbox with all that an account keeps open, and what holds it. `--check` measures only the
 * whole, writes nothing, and fails where it is too large a multiple of a fixed list of objects.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const reference = measureReference();
  const all = CASES.map(({ incidents, messages }) => measureOutbox(incidents, messages));
  const ratios = all.map(({ incidents, messages }) => (incidents + messages) / reference);
  for (const [index, { name, most }] of CASES.entries()) {
    const ratio = ratios[index] ?? Number.NaN;
    process.stdout.write(
      `${name}: ${ratio.toFixed(2)} times the reference of ${mib(reference)} MiB, at most ${most}\n`,
    );
    if (!(ratio <= most)) process.exitCode = 1;
  }
  if (values.check) return;
  const short = measureOutbox(SHORT, null).incidents;
  const sums = table(
    ['in memory, MiB', ...CASES.map(({ name }) => name)],
    [
      [
        `${count(MAX_OPEN)} incidents, each with ${RECEIVERS} receivers`,
        ...all.map(({ incidents }) => mib(incidents)),
      ],
      [`${count(WAITING)} waiting messages`, ...all.map(({ messages }) => mib(messages))],
      ['**together**', ...all.map(({ incidents, messages }) => `**${mib(incidents + messages)}**`)],
    ],
  );
  const parts = table(
    ['beyond a short incident', 'MiB', `bytes for each of ${count(MAX_ENTRIES)}`],
    Object.entries(PARTS).map(([name, part]) => {
      const more = measureOutbox({ ...SHORT, ...part }, null).incidents - short;
      return [name, mib(more), String(Math.round(more / MAX_ENTRIES))];
    }),
  );
  const text = [
    `Node ${process.version}: reachable memory after a collection, of an object that has just started.`,
    sums,
    TEXT,
    parts,
  ].join('\n\n');
  process.stdout.write(`${text}\n`);
  await writePage({ memory: text });
}

const TEXT = `**Short**: keys of 16 characters, two labels, names of 3 to 7 characters, messages of 5. **Long**: keys of 72 characters, titles
of 200, twelve labels, names of 16 to 23, messages of 400. **With a history**: each incident has also flapped, was escalated twice and
acknowledged by two people, has an \`inhibited_by\` and outcomes of earlier items, and a message about it waits for each receiver. All
10,000 at once are the most that we could think of.

Texts are read from their rows when they are needed, so titles and labels take no memory, and at most 2,000 waiting messages have their
row in memory. An incident has an entry for each receiver, and each entry has a copy of the key, the history and the names of what
inhibits it:`;

await main();
