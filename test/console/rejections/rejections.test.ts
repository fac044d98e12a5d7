import { describe, expect, it } from 'vitest';
import { distinct, fitting, groupsOf } from '../../../console/pages/rejections/groups.ts';
import { de } from '../../../console/texts/de.ts';
import { en } from '../../../console/texts/en.ts';
import type { RefusalReason } from '../../../src/signature/basics/refusal.ts';
import remedies from '../../../assets/remedies.json';

/** Reasons that no scheme of verification has. */
type OwnReason =
  | 'secret_missing'
  | 'unconfirmed'
  | 'pairing_busy'
  | 'pairing_closed'
  | 'pairing_conflict'
  | 'origin'
  | 'spam'
  | 'limited';

/** The compiler names a reason that has no remedy. */
const REMEDIES: Readonly<Record<RefusalReason | OwnReason, string>> = remedies;

const rejection = (n: number, source: string, reason: string) => ({
  n,
  at: `2026-01-01T00:00:${String(n).padStart(2, '0')}.000Z`,
  source,
  status: 401,
  reason,
  detail: '',
});
const ALL = [
  rejection(4, 'b', 'stale'),
  rejection(3, 'a', 'stale'),
  rejection(2, 'b', 'mismatch'),
  rejection(1, 'b', 'stale'),
];

const of = (source: string, reason: string): readonly number[] =>
  fitting(ALL, { source, reason }).map(({ n }) => n);

describe('rejections', () => {
  it('are counted by source and reason, the most frequent first', () => {
    const groups = groupsOf(ALL).map(({ source, reason, count, last }) => [source, reason, count, last.n]);
    expect(groups).toEqual([
      ['b', 'stale', 2, 4],
      ['a', 'stale', 1, 3],
      ['b', 'mismatch', 1, 2],
    ]);
  });
  it('are filtered by what the address says', () => {
    expect([of('', ''), of('b', ''), of('', 'stale'), of('b', 'stale'), of('c', '')]).toEqual([
      [4, 3, 2, 1],
      [4, 2, 1],
      [4, 3, 1],
      [4, 1],
      [],
    ]);
    expect(distinct(['b', 'a', 'b'])).toEqual(['a', 'b']);
  });
  it.each(Object.keys(REMEDIES))('for %s have words in each language, and a translated remedy', (reason) => {
    for (const { rejections } of [en, de]) expect(Object.keys(rejections.reasons)).toContain(reason);
    expect(Object.keys(de.rejections.remedies)).toContain(reason);
  });
});
