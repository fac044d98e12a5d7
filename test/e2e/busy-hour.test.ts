import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { table, withSections } from '../../scripts/page-section.ts';
import { busyHours, type BusyHourReport } from './busy-hour.ts';
import { HEAP_MIB } from './platform.ts';

/** Claims of the hour before. An object makes some 400 a second at most. */
const HOURS = [0, 10_000, 100_000, 300_000, 1_000_000];

/** The memory that the hour may cost beside the usual memory of an object. */
const BUDGET_MIB = 64;

const DOCUMENT = join(import.meta.dirname, '../../docs/guarantees/busy-hour.md');

/** Of the rows of the table. */
const claimsOf = (page: string): readonly string[] =>
  [...page.matchAll(/^\| ([\d,]+) +\|.*MiB/gm)].map(([, claims]) => claims ?? '');

describe(`an object that starts after a busy hour, under a heap of ${HEAP_MIB} MB`, () => {
  let reports: readonly BusyHourReport[];
  beforeAll(async () => {
    reports = await busyHours(inject('bundles'), HOURS);
  }, 300_000);

  it('accepts and sends, however busy the hour was', () => {
    for (const { starts } of reports)
      expect(starts.filter(({ arrived }) => !arrived.includes(0))).toEqual([]);
  });

  it('knows whom it has sent all that they may have in an hour', () => {
    for (const { claims, starts } of reports.filter((report) => report.claims > 0))
      for (const { arrived } of starts) expect(arrived, `after ${claims} claims`).toEqual([0]);
  });

  it(`takes at most ${BUDGET_MIB} MiB more than without that hour`, () => {
    const [idle, ...busy] = reports;
    for (const { memoryMib } of busy)
      expect(memoryMib - (idle?.memoryMib ?? 0), JSON.stringify(reports)).toBeLessThanOrEqual(BUDGET_MIB);
  });

  it('has its figures in docs/guarantees/busy-hour.md; `WRITE_FIGURES=1` measures them anew', async () => {
    const rows = reports.map(({ claims, acceptedAfterMs, sentAfterMs, memoryMib }) => [
      claims.toLocaleString('en'),
      `${acceptedAfterMs} ms`,
      `${sentAfterMs} ms`,
      `${memoryMib} MiB`,
    ]);
    const page = readFileSync(DOCUMENT, 'utf8');
    const head = ['calls in the hour before', 'first 202 after', 'first send after', 'memory'];
    const measured = await withSections(DOCUMENT, page, { 'busy hour': table(head, rows) });
    if (process.env['WRITE_FIGURES'] === '1') {
      writeFileSync(DOCUMENT, measured);
      return;
    }
    expect(claimsOf(page)).toEqual(claimsOf(measured));
  });
});
