import { table } from '../../scripts/docs/page.ts';
import { counted } from './counts.ts';
import type { Operations } from './operations.ts';
import { paymentConfig } from './payment.ts';
import { INCLUDED, PRICE_LIST } from './price-list.ts';

/** The deployment that docs/limits.md prices. */
export const ACCOUNTS = 1_000;
export const EVENTS_A_DAY = 100_000_000;

/** The days of a month, for what is priced by the month. */
const DAYS = 30;
/** The `retention` of an account that sets none, in days. */
const RETENTION_DAYS = 30;
const MILLION = 1_000_000;
const GB = 1_000_000_000;
/** An outbox deletes early from 80 % of what the platform allows an object (`disk.ts`), in GB. */
const OBJECT_GB = 8;
/** The rows that an account writes a day in which nothing happens: docs/limits.md. */
const QUIET_ROWS = 48;
/** The pace of an account that sets none. A gap is longer by an eighth in the mean (`pace.ts`). */
const PER_MINUTE = 30 / (1 + 0.25 / 2);
/** The pace that the deployment needs. */
export const RATE = { per_minute: 80 };
const SET_BYTES = 1_500_000;
const CALLS = 10_000;
/** Cloudflare expects at least this of an object that writes. */
const REQUESTS_A_SECOND = 200;
const MINUTES_A_DAY = 1_440;
const SECONDS_A_DAY = 86_400;

/** The counted operations of one event. `storedBytes` comes from a case with many events. */
export type EventOperations = Omit<Operations, NotPriced | 'events' | 'flushes' | 'byStatement'>;
type NotPriced = 'statements' | 'rowsWritten' | 'alarmsSet' | 'syncs' | 'gatewayCalls';

/** A line of the bill of one day: `aDay` × `price` = `dollars`, or a thirtieth of that. */
interface Line {
  readonly what: string;
  /** Of one event; null if it does not depend on their number. */
  readonly ofEvent: number | null;
  /** In the unit of its price. */
  readonly aDay: number;
  readonly unit: string;
  /** Dollars; by the month if `isMonthly`. */
  readonly price: number;
  readonly isMonthly: boolean;
  readonly dollars: number;
}

const cents = (dollars: number): number => Math.round(dollars * 100) / 100;
const sumOf = (lines: readonly Pick<Line, 'dollars'>[]): number =>
  cents(lines.reduce((sum, { dollars }) => sum + dollars, 0));

/** The number as the page has it: whoever multiplies what the page says gets what it says. */
const rounded = (value: number): number => Number(counted(value).replaceAll(',', ''));

/** The events that an account stores, in GB: all of its `retention`, or as much as fits. */
const storedGb = (one: EventOperations): number => Math.min(neededGb(one), OBJECT_GB);
const neededGb = ({ storedBytes }: EventOperations): number =>
  (RETENTION_DAYS * (EVENTS_A_DAY / ACCOUNTS) * rounded(storedBytes)) / GB;

/** The days after which an object is so full that it deletes early. */
const earlyAfter = (one: EventOperations): number => (RETENTION_DAYS * OBJECT_GB) / neededGb(one);

const aDay = (what: string, amount: number, unit: string, price: number): Line => {
  const isMonthly = unit === 'GB' || unit === 'plan';
  const dollars = cents((amount * price) / (isMonthly ? DAYS : 1));
  return { what, ofEvent: null, aDay: amount, unit, price, isMonthly, dollars };
};

/** The bill of a day, line by line. */
export function billOf(one: EventOperations): { readonly lines: readonly Line[]; readonly sum: number } {
  const { perMillion, perMillionGbSeconds, perGbMonth, planPerMonth, objectGb } = PRICE_LIST;
  const ofEvents = (what: string, value: number, price: number, unit = 'million', factor = 1): Line => {
    const ofEvent = rounded(value);
    return { ...aDay(what, (ofEvent * factor * EVENTS_A_DAY) / MILLION, unit, price), ofEvent };
  };
  const objectRequests = one.outboxCalls + one.registryCalls + one.alarms;
  const [quiet, stored] = [(QUIET_ROWS * ACCOUNTS) / MILLION, storedGb(one)];
  const housekeeping = `rows written by housekeeping: ${QUIET_ROWS} an account`;
  const [awake, gbSeconds] = [`time awake, ms × ${objectGb} GB`, 'million GB-seconds'];
  const lines = [
    ofEvents('rows written, deletion included', one.allRowsWritten, perMillion.rowsWritten),
    aDay(housekeeping, quiet, 'million', perMillion.rowsWritten),
    aDay(`storage: ${gb(stored)} GB an account`, Math.round(stored * ACCOUNTS), 'GB', perGbMonth),
    ofEvents(awake, one.awakeMs, perMillionGbSeconds, gbSeconds, objectGb / 1_000),
    ofEvents('requests to the Worker', one.requests, perMillion.workerRequests),
    ofEvents('its CPU, ms', one.cpuMs, perMillion.workerCpuMs),
    ofEvents('requests to objects: calls and alarms', objectRequests, perMillion.objectRequests),
    ofEvents('reads of KV', one.kvReads, perMillion.kvReads),
    ofEvents('rows read', one.rowsRead, perMillion.rowsRead),
    aDay('the plan', 1, 'plan', planPerMonth),
  ];
  return { lines, sum: sumOf(lines) };
}

/** The usage that the plan includes, in dollars a day: nobody pays for it. */
const includedADay = (): number =>
  cents(INCLUDED.reduce((sum, [, amount, dollars]) => sum + amount * dollars, 0) / DAYS);

/** A limit of the platform or of hookbell, and what the deployment needs of it. */
interface Limit {
  readonly what: string;
  readonly needs: number;
  readonly has: number;
  readonly unit: string;
  readonly when: string;
}

/** The limits, the one that is reached first at the top. */
function limitsOf(one: EventOperations): readonly Limit[] {
  const ofAccount = EVENTS_A_DAY / ACCOUNTS;
  const document = JSON.stringify(paymentConfig({ rate: RATE })).length;
  const needed = neededGb(one);
  const perMinute = ofAccount / MINUTES_A_DAY;
  const full = needed > OBJECT_GB ? `after ${earlyAfter(one).toFixed(1)} days: deletes early` : 'not reached';
  const object = `size of an object, with \`retention: ${RETENTION_DAYS}d\``;
  const set = `size of the set, with ${document} bytes an account`;
  const [setMb, mostMb] = [(document * ACCOUNTS) / MILLION, SET_BYTES / MILLION];
  const asked = 'calls of a request that asks all accounts';
  const waits = 'at once: messages wait';
  const limits = [
    ['pace of a device, if `rate` is not set', perMinute, PER_MINUTE, 'messages a minute', waits],
    [object, needed, OBJECT_GB, 'GB', full],
    [set, setMb, mostMb, 'MB', 'not reached'],
    [asked, ACCOUNTS, CALLS, 'calls', 'not reached'],
    ['requests of an object that writes', perMinute / 60, REQUESTS_A_SECOND, 'a second', 'not reached'],
  ] as const;
  return limits
    .map(([what, needs, has, unit, when]): Limit => ({ what, needs, has, unit, when }))
    .toSorted((a, b) => b.needs / b.has - a.needs / a.has);
}

const gb = (value: number): string => value.toFixed(1);
const plain = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 4 });
const dollar = (value: number): string => value.toFixed(2);
const short = (value: number): string => plain(Number(value.toPrecision(3)));

/** The same in a paragraph of `docs/limits.md`. */
export function billText(one: EventOperations): string {
  const { lines, sum } = billOf(one);
  const of = (begin: string): string =>
    lines.find(({ what }) => what.startsWith(begin))?.dollars.toFixed(0) ?? '';
  return `A day costs about ${sum.toFixed(0)} dollars, of which ${of('rows written, deletion')} are for rows written, ${of('time awake')} for time awake
and ${of('storage')} for storage: ${((sum * MILLION) / EVENTS_A_DAY).toFixed(1)} dollars per million events.
An event takes ${gb(one.storedBytes / 1_000)} KB on disk, and an object deletes early after ${earlyAfter(one).toFixed(0)} days.`;
}

/** The section of `docs/performance/figures.md`. */
export function deploymentText(one: EventOperations): string {
  const { lines, sum } = billOf(one);
  const bill = table(
    ['', 'an event', 'a day', '', 'dollars each', 'dollars a day'],
    [
      ...lines.map(({ what, ofEvent, aDay, unit, price, isMonthly, dollars }) => [
        what,
        ofEvent === null ? '' : plain(ofEvent),
        plain(aDay),
        unit,
        `${plain(price)}${isMonthly ? ` ÷ ${DAYS}` : ''}`,
        dollar(dollars),
      ]),
      ['**all**', '', '', '', '', `**${dollar(sum)}**`],
    ],
  );
  const limits = table(
    ['limit', 'needed', 'there is', '', 'share', 'reached'],
    limitsOf(one).map(({ what, needs, has, unit, when }) => [
      what,
      short(needs),
      short(has),
      unit,
      `${((100 * needs) / has).toFixed(needs < has / 100 ? 1 : 0)} %`,
      when,
    ]),
  );
  const awake = cents(
    ((ACCOUNTS * SECONDS_A_DAY * PRICE_LIST.objectGb) / MILLION) * PRICE_LIST.perMillionGbSeconds,
  );
  return [
    `${ACCOUNTS.toLocaleString('en-US')} accounts get ${EVENTS_A_DAY.toLocaleString('en-US')} events a day, each of 1.2 KB and with one message. Nobody has run this: what an event
costs is counted in the case “70 a minute”, its bytes on disk “under load”, and multiplied.`,
    bill,
    `Not in it: the usage that the plan includes (${dollar(includedADay())} dollars a day less), and objects that Cloudflare would keep awake
all day (at most ${dollar(awake)} dollars for time awake).`,
    limits,
  ].join('\n\n');
}
