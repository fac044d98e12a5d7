import { expect, it } from 'vitest';
import { findRegexes, judge, reasonsFor } from '../../scripts/regexes.ts';
import list from '../../scripts/regexes.json' with { type: 'json' };

it('each regular expression of the Worker is linear or has a reason why it is cheap: else `npm run regexes`', () => {
  const found = findRegexes();
  expect(found.length).toBeGreaterThan(100);
  expect(reasonsFor(found)).toEqual(list);
  expect(Object.values(list).filter((why) => why.startsWith('WRITE WHY'))).toEqual([]);
});

const judged = (pattern: string) => judge({ file: 'a.ts', text: '', literal: { pattern, flags: '' } });

it('a regular expression needs a reason unless it is proved to be linear', () => {
  expect(judged('^[a-z]+$')).toBeNull();
  expect(judged(String.raw`^0+(?=\d)`)).toBe('WRITE WHY: nobody has proved it to be linear (a.ts)');
  expect(judged('^(a+)+$')).toMatch(/^WRITE WHY: vulnerable, for example .*a.*\(a\.ts\)$/);
  expect(judge({ file: 'a.ts', text: 'new RegExp(x)', literal: null })).toMatch(/^WRITE WHY: it is put/);
});
