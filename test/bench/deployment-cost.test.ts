import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Pace } from '../../src/outbox/send/pace.ts';
import { ACCOUNTS, billOf, billText, EVENTS_A_DAY, RATE, type EventOperations } from './deployment-cost.ts';

const doc = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

/** The messages that an account sends in a day in which some always wait. */
function sentInADay(perMinute: number): number {
  const limits = { rate: { perMinute, burst: 5 }, perRecipient: null };
  const pace = new Pace({ tokens: 5, at: 0, past: () => undefined });
  let sent = 0;
  for (let now = 0; now < 86_400_000; now = Math.max(now, pace.nextSendAt(limits, 'signed', now))) {
    // Evenly spread, as random numbers are.
    pace.record({ at: now, phone: null, standing: 'signed' }, limits, (sent % 100) / 100);
    sent += 1;
  }
  return sent;
}

it('the pace that docs/limits.md asks for is enough for a day, and ten messages a minute fewer are not', () => {
  const needed = EVENTS_A_DAY / ACCOUNTS;
  expect(sentInADay(RATE.per_minute)).toBeGreaterThan(needed);
  expect(sentInADay(RATE.per_minute - 10)).toBeLessThan(needed);
  expect(doc('limits.md')).toContain(`\`rate: { per_minute: ${RATE.per_minute} }\``);
});

const numberIn = (text = ''): number => Number(text.replaceAll(/[*,]/g, ''));

it('the bill in docs/performance/figures.md is of what is counted there, and docs/limits.md repeats it', () => {
  const page = doc('performance/figures.md');
  const rowsOf = (section: string): readonly (readonly string[])[] =>
    (page.split(`<!-- ${section} -->`)[1]?.split(`<!-- /${section} -->`)[0] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      );
  const counted = (column: string, what: string): number => {
    const [head = [], , ...rows] = rowsOf('operations');
    return numberIn(rows.find(([name]) => name === what)?.[head.indexOf(column)]);
  };
  const one = (what: string): number => counted('70 a minute', what);
  const storedBytes = counted('under load', 'bytes on disk until it is deleted');
  const event: EventOperations = {
    requests: 1,
    cpuMs: one('CPU of the whole process, ms'),
    outboxCalls: one('calls to the outbox'),
    registryCalls: one('calls to the registry'),
    alarms: one('runs of its alarm'),
    allRowsWritten: one('rows written, deletion included'),
    rowsRead: one('rows read'),
    kvReads: one('reads of KV'),
    awakeMs: one('time awake, ms'),
    storedBytes,
  };
  const { lines, sum } = billOf(event);
  const bill = rowsOf('deployment');
  const shown = lines.map(({ what }) => numberIn(bill.find(([name]) => name === what)?.at(-1)));
  expect(shown).toEqual(lines.map(({ dollars }) => dollars));
  expect(numberIn(bill.find(([name]) => name === '**all**')?.at(-1))).toBe(sum);
  const limits = doc('limits.md').replaceAll(/\s+/g, ' ');
  expect(limits).toContain(billText(event).replaceAll(/\s+/g, ' '));
});

it('the memory of an object in docs/limits.md is what was measured last', () => {
  const row = /^\| \*\*together\*\* .*$/m.exec(doc('performance/figures.md'))?.[0] ?? '';
  const [short, long, full] = [...row.matchAll(/[\d.]+/g)].map(([mib]) => Math.round(Number(mib)));
  const limits = doc('limits.md');
  expect(limits).toContain(`[${short} MiB, or ${long} MiB with long keys and texts]`);
  expect(limits).toContain(`all take ${full} MiB`);
});
