import { parseArgs } from 'node:util';
import { table } from '../../scripts/docs/page.ts';
import '../e2e/program.ts';
import { judge, least, most } from './tables.ts';
import { billText, deploymentText } from './deployment-cost.ts';
import {
  countOperations,
  operationsTable,
  statementsTable,
  type CaseName,
  type Operations,
} from './operations.ts';
import { writePage } from './page.ts';
import { ALTERNATIVES, FREE_PLAN, PRICE_LIST } from './price-list.ts';

/** The billed operations of one event. */
const used = (one: Operations) => ({
  workerRequests: one.requests,
  workerCpuMs: one.cpuMs,
  objectRequests: one.outboxCalls + one.registryCalls + one.alarms,
  rowsWritten: one.allRowsWritten,
  rowsRead: one.rowsRead,
  kvReads: one.kvReads,
  gbSeconds: (one.awakeMs / 1_000) * PRICE_LIST.objectGb,
});

/** Dollars for a million events, by what they are for. */
function prices(one: Operations): readonly (readonly [string, number])[] {
  const { perMillion, perMillionGbSeconds } = PRICE_LIST;
  const event = used(one);
  return [
    ['rows written', event.rowsWritten * perMillion.rowsWritten],
    ['time awake', event.gbSeconds * perMillionGbSeconds],
    ['requests to the Worker', event.workerRequests * perMillion.workerRequests],
    ['requests to objects: calls and alarms', event.objectRequests * perMillion.objectRequests],
    ['reads of KV', event.kvReads * perMillion.kvReads],
    ['CPU', event.workerCpuMs * perMillion.workerCpuMs],
    ['rows read', event.rowsRead * perMillion.rowsRead],
  ];
}

const total = (one: Operations): number => prices(one).reduce((sum, [, dollars]) => sum + dollars, 0);

const FREE_LIMITS = [
  ['workerRequests', 'requests'],
  ['objectRequests', 'requests to objects'],
  ['gbSeconds', 'time awake'],
  ['rowsWritten', 'rows written'],
  ['rowsRead', 'rows read'],
  ['kvReads', 'reads of KV'],
] as const satisfies readonly (readonly [keyof typeof FREE_PLAN, string])[];

/** The number of events a day that the free plan has space for, and the limit that ends it. */
function freeEvents(one: Operations): { readonly events: number; readonly limit: string } {
  const event = used(one);
  const all = FREE_LIMITS.map(([key, limit]) => {
    const needs = event[key];
    return { limit, events: needs > 0 ? Math.floor(FREE_PLAN[key] / needs) : Infinity };
  });
  return all.reduce((least, one) => (one.events < least.events ? one : least));
}

/** The ways in which webhooks come that are priced. */
const PRICED = ['trickle', '30 a minute', 'burst'] as const satisfies readonly CaseName[];

/** Of webhooks at 30 a minute. */
function boundsOf(all: ReadonlyMap<CaseName, Operations>) {
  const one = all.get('30 a minute');
  if (one === undefined) throw new Error('not everything was counted');
  return [
    { what: 'dollars a million events, at 30 a minute', value: total(one), ...most(10, 9) },
    { what: 'rows read an event, at 30 a minute', value: one.rowsRead, ...most(40, 25) },
    { what: 'events a day on the free plan', value: freeEvents(one).events, ...least(10_000, 12_000) },
  ];
}

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2);

/** Sections of `docs/performance/figures.md` and `docs/limits.md`, and the number of bounds that are missed. */
export async function costs(withStatements = false): Promise<{
  readonly operations: string;
  readonly statements: string;
  readonly price: string;
  readonly deployment: string;
  readonly bill: string;
  readonly missed: number;
}> {
  const all = await countOperations();
  const priced = PRICED.flatMap((name) => {
    const one = all.get(name);
    return one === undefined ? [] : [{ name, one }];
  });
  const kinds = priced[0] === undefined ? [] : prices(priced[0].one).map(([kind]) => kind);
  const dollars = table(
    ['dollars a million events', ...PRICED],
    [
      ...kinds.map((kind, index) => [
        kind,
        ...priced.map(({ one }) => (prices(one)[index]?.[1] ?? 0).toFixed(2)),
      ]),
      ['**all**', ...priced.map(({ one }) => `**${total(one).toFixed(2)}**`)],
      ['events a day on the free plan', ...priced.map(({ one }) => number(freeEvents(one).events))],
      ['the limit that is reached first', ...priced.map(({ one }) => freeEvents(one).limit)],
    ],
  );
  const judged = boundsOf(all).map((bound) => ({ ...bound, ...judge(bound, bound.value, number) }));
  const must = table(
    ['', 'now', 'required', 'target', ''],
    judged.map(({ what, value, cells }) => [what, number(value), ...cells]),
  );
  const others = table(['another service, for a million events', 'dollars', 'what it lacks'], ALTERNATIVES);
  return {
    operations: operationsTable(all),
    statements: withStatements ? statementsTable(all) : '',
    price: [dollars, `Prices of ${PRICE_LIST.date}:`, priceTable(), must, others].join('\n\n'),
    ...deploymentOf(all),
    missed: judged.filter(({ isMissed }) => isMissed).length,
  };
}

function deploymentOf(all: ReadonlyMap<CaseName, Operations>) {
  const [one, many] = [all.get('70 a minute'), all.get('under load')];
  if (one === undefined || many === undefined) throw new Error('not everything was counted');
  const event = { ...one, storedBytes: many.storedBytes };
  return { deployment: deploymentText(event), bill: billText(event) };
}

const free = (key: keyof typeof FREE_PLAN): string => FREE_PLAN[key].toLocaleString('en-US');

function priceTable(): string {
  const { perMillion, perMillionGbSeconds, planPerMonth, objectGb } = PRICE_LIST;
  return table(
    ['', 'dollars a million', 'free a day'],
    [
      ['requests to the Worker', String(perMillion.workerRequests), free('workerRequests')],
      ['ms of its CPU', String(perMillion.workerCpuMs), '–'],
      ['requests to objects', String(perMillion.objectRequests), free('objectRequests')],
      [`GB-seconds awake (${objectGb} GB an object)`, String(perMillionGbSeconds), free('gbSeconds')],
      ['rows written', String(perMillion.rowsWritten), free('rowsWritten')],
      ['rows read', String(perMillion.rowsRead), free('rowsRead')],
      ['reads of KV', String(perMillion.kvReads), free('kvReads')],
      ['the plan, a month', `$${planPerMonth}`, '–'],
    ],
  );
}

/** Fails when a bound of {@link boundsOf} is missed, or when an event or a message is more than one call. */
async function check(): Promise<void> {
  const all = await countOperations(['30 a minute', 'under load']);
  for (const { what, value, ...bound } of boundsOf(all)) {
    const { cells, isMissed } = judge(bound, value, number);
    process.stdout.write(`${what}: ${number(value)}, ${cells.join(', ')}\n`);
    if (isMissed) process.exitCode = 1;
  }
  for (const [name, { outboxCalls, gatewayCalls }] of all) {
    process.stdout.write(`${name}: ${outboxCalls} calls to the outbox, ${gatewayCalls} to the gateway\n`);
    if (outboxCalls !== 1 || gatewayCalls !== 1) process.exitCode = 1;
  }
  if (process.exitCode === 1) process.stdout.write(`${statementsTable(all)}\ntoo much\n`);
}

/**
 * `npm run price`: what an event costs, from what is counted now. Fails when a bound is missed. With `--statements` it also prints
 * what each statement costs. `--check` counts two cases, and writes nothing.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      statements: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    },
  });
  if (values.check) return check();
  const { operations, statements, price, deployment, bill, missed } = await costs(values.statements);
  process.stdout.write(`${statements}\n\n${operations}\n\n${price}\n\n${deployment}\n\n${bill}\n`);
  await writePage({ operations, price, deployment });
  await writePage({ bill }, 'limits.md');
  if (missed > 0) process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) {
  // Each runtime listens for the exit.
  await main();
}
