import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KIND_NAMES } from '../../src/gateway/kinds.ts';
import { makerRows } from '../gateway/makers/calls.ts';
import {
  callsOfMessage,
  interruptedTable,
  rateTable,
  requestTable,
  safeShare,
  type Interrupted,
  type KindCost,
  type MakerCost,
} from './maker-tables.ts';
import { median } from './measure.ts';

const kind = (goesAs: KindCost['goesAs'], calls: number): KindCost => ({
  kind: 'text',
  goesAs,
  micros: 12.34,
  bytes: 1_234,
  calls,
});

const interrupted: readonly Interrupted[] = [
  { cut: 'before it is read', calls: 10, uncertain: 10, twice: 0 },
  { cut: 'after it is read', calls: 10, uncertain: 10, twice: 5 },
  { cut: 'in the answer', calls: 10, uncertain: 8, twice: 0 },
];

const MAKER: MakerCost = {
  id: 'pigeon',
  kinds: [kind('itself', 1), kind('text', 1), kind('nothing', 0)],
  successMicros: 0.56,
  failureMicros: [9, 1, 2],
  perSecond: [1_500, 900, 1_000],
  messageMicros: [300, 400, 200],
  pace: { perMinute: 30, burst: 5 },
  givesId: true,
  interrupted,
};

const rowOf = (text: string): string => text.split('\n').at(-1) ?? '';

describe('the tables of gateways', () => {
  it('take the middle value, or the mean of the middle two', () => {
    expect(median([9, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
    expect(median([])).toBeNaN();
  });

  it('mark a text in place of a kind, and leave out what is not sent', () => {
    expect(rowOf(requestTable([MAKER]))).toBe('| `pigeon` | 12 µs, 1,234 B | 12 µs, 1,234 B * |  |');
  });

  it('have the median of the rounds beside the least and the most', () => {
    expect(rowOf(rateTable([MAKER]))).toBe(
      '| `pigeon` | 0.6 | 2.0 (9.0) | 1 | 300 | 1,000 (900–1,500) | 30 (5) |',
    );
  });

  it('count the HTTP calls only of what is sent', () => {
    expect(callsOfMessage(MAKER.kinds)).toBe('1');
    expect(callsOfMessage([kind('itself', 1), kind('itself', 2)])).toBe('1–2');
  });

  it('count a repeat as harmless only among the calls that arrived', () => {
    expect(safeShare(interrupted)).toBe(0.75);
    expect(rowOf(interruptedTable([MAKER]))).toBe(
      '| `pigeon` | yes | 100 % uncertain, 0 % shown twice | 100 % uncertain, 50 % shown twice | 80 % uncertain, 0 % shown twice | 75 % |',
    );
  });
});

describe('docs/performance/makers.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/performance/makers.md'), 'utf8');

  it.each(['v2', ...makerRows('http://localhost').map(({ id }) => id)])(
    'has %s in each of its tables, or `npm run bench:makers` is due',
    (id) => {
      expect(page.split('\n').filter((line) => line.startsWith(`| \`${id}\` `))).toHaveLength(3);
    },
  );

  it('has each kind of message, or `npm run bench:makers` is due', () => {
    const head = page.split('\n').find((line) => line.startsWith('| `gateway:`')) ?? '';
    const columns = head.split('|').map((cell) => cell.trim());
    expect(columns.slice(2, -1)).toEqual(KIND_NAMES);
  });
});
