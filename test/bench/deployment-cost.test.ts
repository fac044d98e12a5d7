import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Pace } from '../../src/outbox/send/pace.ts';
import { ACCOUNTS, billOf, EVENTS_A_DAY, limitsOf, RATE, type EventOperations } from './deployment-cost.ts';
import { INCLUDED, PRICE_LIST } from './price-list.ts';

const doc = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

const ONE: EventOperations = {
  requests: 1,
  cpuMs: 10,
  outboxCalls: 1,
  registryCalls: 0,
  alarms: 0.5,
  allRowsWritten: 5,
  rowsRead: 20,
  kvReads: 0.1,
  awakeMs: 300,
  logLines: 2,
  logBytes: 400,
  storedBytes: 2_000,
};

const dollarsOf = (one: EventOperations, what: string): number | undefined =>
  billOf(one).lines.find((line) => line.what.startsWith(what))?.dollars;

describe('the bill of a deployment', () => {
  it('has what is written, deleted, stored, logged and read', () => {
    expect(dollarsOf(ONE, 'rows written, deletion included')).toBe(500);
    expect(dollarsOf(ONE, 'rows written by housekeeping')).toBe(0.05);
    // 2,000 bytes × 100,000 a day × 30 days are 6 GB of each account.
    expect(dollarsOf(ONE, 'storage')).toBe(40);
    expect(dollarsOf(ONE, 'log lines')).toBe(120);
    expect(dollarsOf(ONE, 'rows read')).toBe(2);
    expect(dollarsOf(ONE, 'reads of KV')).toBe(5);
    expect(dollarsOf(ONE, 'time awake')).toBe(48);
    expect(dollarsOf(ONE, 'requests to the Worker')).toBe(30);
    expect(dollarsOf(ONE, 'requests to objects')).toBe(22.5);
    expect(dollarsOf(ONE, 'its CPU')).toBe(20);
    expect(dollarsOf(ONE, 'the plan')).toBe(0.17);
    expect(billOf(ONE).sum).toBe(787.72);
  });

  it('has a line for each thing that the plan includes', () => {
    expect(billOf(ONE).lines.filter(({ what }) => !/housekeeping|^the plan/.test(what))).toHaveLength(
      INCLUDED.length,
    );
  });

  it('stores no more than an account keeps before it deletes early', () => {
    expect(dollarsOf({ ...ONE, storedBytes: 5_000 }, 'storage')).toBe(53.33);
  });
});

/** The messages that an account sends in a day in which some always wait. */
function sentInADay(perMinute: number): number {
  const rate = { perMinute, burst: 5 };
  const pace = new Pace({ tokens: 5, at: 0, past: () => undefined });
  let sent = 0;
  for (let now = 0; now < 86_400_000; now = Math.max(now, pace.nextSendAt(rate, now))) {
    // Evenly spread, as random numbers are.
    pace.record({ at: now, phone: null }, rate, (sent % 100) / 100);
    sent += 1;
  }
  return sent;
}

describe('the limits of a deployment', () => {
  it('come in the order in which they are reached', () => {
    const [first, second, ...others] = limitsOf({ ...ONE, storedBytes: 5_000 });
    expect(first?.what).toContain('pace');
    expect(second?.what).toContain('size of an object');
    expect(second?.when).toBe('after 16.0 days: deletes early');
    expect(others.every(({ needs, has }) => needs < has)).toBe(true);
  });

  it('are not reached with the pace that the page asks for, and are with ten messages a minute fewer', () => {
    const needed = EVENTS_A_DAY / ACCOUNTS;
    expect(sentInADay(RATE.per_minute)).toBeGreaterThan(needed);
    expect(sentInADay(RATE.per_minute - 10)).toBeLessThan(needed);
    expect(doc('limits.md')).toContain(`\`rate: { per_minute: ${RATE.per_minute} }\``);
  });

  it('are not reached by what is small', () => {
    expect(limitsOf(ONE).find(({ what }) => what.startsWith('size of an object'))?.when).toBe('not reached');
  });
});

const PAGE = doc('performance/figures.md');

/** The cells of the tables of a generated section. */
const rowsOf = (section: string): readonly (readonly string[])[] =>
  (PAGE.split(`<!-- ${section} -->`)[1]?.split(`<!-- /${section} -->`)[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const numberIn = (text = ''): number => Number(text.replaceAll(/[*,]/g, ''));

/** The price in a cell, for a day: `0.2 ÷ 30`. */
const priceIn = (text = ''): number => {
  const [price, days = '1'] = text.split(' ÷ ');
  return numberIn(price) / Number(days);
};

const cents = (dollars: number): number => Math.round(dollars * 100) / 100;

/** The figures in a column of the table of operations. */
function operationsOf(column: string): (what: string) => number {
  const [head = [], , ...rows] = rowsOf('operations');
  return (what) => numberIn(rows.find(([name]) => name === what)?.[head.indexOf(column)]);
}

describe('the table of a thousand accounts', () => {
  const [head = [], , ...rows] = rowsOf('deployment');
  const end = rows.findIndex(([what]) => what === '**all**');
  const lines = rows.slice(0, end);
  const sum = rows[end]?.at(-1);
  const lineOf = (begin: string): readonly string[] => lines.find(([what]) => what?.startsWith(begin)) ?? [];

  it('is a product in each line, and their sum', () => {
    expect(head.slice(2)).toEqual(['a day', '', 'dollars each', 'dollars a day']);
    expect(lines.length).toBeGreaterThan(9);
    for (const [what, , aDay, , price, dollars] of lines)
      expect(numberIn(dollars), what).toBe(cents(numberIn(aDay) * priceIn(price)));
    expect(numberIn(sum)).toBe(cents(lines.reduce((all, line) => all + numberIn(line.at(-1)), 0)));
  });

  it('has what is counted of an event, times the events of a day', () => {
    const of = operationsOf('70 a minute');
    const counted: readonly (readonly [string, number, number])[] = [
      ['rows written, deletion', of('rows written, deletion included'), 1],
      ['log lines', of('log lines'), 1],
      ['time awake', of('time awake, ms'), PRICE_LIST.objectGb / 1_000],
      ['its CPU', of('CPU of the whole process, ms'), 1],
      ['reads of KV', of('reads of KV'), 1],
      ['rows read', of('rows read'), 1],
      ['requests to the Worker', 1, 1],
    ];
    for (const [begin, ofEvent, factor] of counted) {
      const [what, event, aDay] = lineOf(begin);
      expect(numberIn(event), what).toBe(ofEvent);
      expect(numberIn(aDay), what).toBeCloseTo((ofEvent * factor * EVENTS_A_DAY) / 1_000_000, 3);
    }
    const calls = of('calls to the outbox') + of('calls to the registry') + of('runs of its alarm');
    expect(numberIn(lineOf('requests to objects')[1])).toBeCloseTo(calls, 1);
  });

  it('stores what an event takes on disk, until an account has 8 GB', () => {
    const bytes = operationsOf('under load')('bytes on disk until it is deleted');
    const needed = (bytes * EVENTS_A_DAY * 30) / 1_000_000_000;
    expect(numberIn(lineOf('storage')[2])).toBe(Math.round(Math.min(needed, 8 * ACCOUNTS)));
  });

  it('has what docs/limits.md says of it', () => {
    const section = doc('limits.md').split('\n### A thousand accounts')[1]?.split('\n## ')[0] ?? '';
    const text = section.replaceAll(/\s+/g, ' ');
    const whole = (cell = ''): number => Math.round(numberIn(cell));
    const of = (begin: string): number => whole(lineOf(begin).at(-1));
    expect(text).toContain(`about ${whole(sum)} dollars`);
    expect(text).toContain(`${of('rows written, deletion')} are for rows written`);
    expect(text).toContain(`${of('log lines')} for log lines`);
    expect(text).toContain(`${of('time awake')} for time awake`);
    expect(text).toContain(`${of('storage')} for storage`);
    expect(text).toContain(`${(numberIn(sum) / (EVENTS_A_DAY / 1_000_000)).toFixed(1)} dollars per million`);
    const size = rows.find(([what]) => what?.startsWith('size of an object')) ?? [];
    expect(text).toContain(`${size[1]} GB in 30 days`);
    const days = Math.floor(Number(/[\d.]+/.exec(size[5] ?? '')?.[0]));
    expect(text).toContain(`**The object's size, after ${days} days.**`);
    const bytes = operationsOf('under load')('bytes on disk until it is deleted');
    expect(text).toContain(`${(bytes / 1_000).toFixed(1)} KB`);
  });
});
