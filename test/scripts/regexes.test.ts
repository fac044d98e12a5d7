import { describe, expect, it } from 'vitest';
import { findRegexes } from '../../scripts/find-regexes.ts';
import list from '../../scripts/regexes.json' with { type: 'json' };

describe('the regular expressions of the Worker', () => {
  const known = new Map<string, string>(Object.entries(list));
  const found = findRegexes();

  it('are all known to be cheap: `npm run regexes` looks at new ones', () => {
    expect(found.filter(({ text }) => !known.has(text))).toEqual([]);
  });

  it('have a reason where nobody has proved linear time, or they are put together when they run', () => {
    const open = found.filter(({ text, literal }) => {
      const why = known.get(text) ?? '';
      return why.startsWith('WRITE WHY') || (literal === null && why === 'linear');
    });
    expect(open).toEqual([]);
  });

  it('are listed only as long as they are there', () => {
    const texts = new Set(found.map(({ text }) => text));
    expect([...known.keys()].filter((text) => !texts.has(text))).toEqual([]);
  });

  it('are found, those that are put together as well', () => {
    expect(found.length).toBeGreaterThan(100);
    expect(found.some(({ literal }) => literal === null)).toBe(true);
  });
});
