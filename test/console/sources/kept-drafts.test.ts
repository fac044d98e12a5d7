import { describe, expect, test } from 'vitest';
import { NO_ANSWERS } from '../../../console/pages/sources/draft.ts';
import { readKept } from '../../../console/pages/sources/kept-drafts.ts';

const draft = {
  provider: 'github',
  source: 'code',
  answers: { ...NO_ANSWERS, source: 'code', numbers: '+49 151 1', asked: { org: 'tea' }, without: ['news'] },
  missing: ['GITHUB_WEBHOOK_SECRET'],
};

describe('A draft that a browser kept', () => {
  test('is read as it was written', () => {
    expect(readKept(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
  });

  test('of another version has the usual answers where it has none, or others', () => {
    const { numbers: _, ...answers } = draft.answers;
    const other = {
      ...draft,
      missing: 3,
      answers: { ...answers, account: 7, asked: [], without: [1, 'a'], more: 1 },
    };
    expect(readKept(other)).toEqual({
      ...draft,
      missing: [],
      answers: { ...draft.answers, numbers: '', asked: {}, without: ['a'] },
    });
  });

  test('is none if it is something else', () => {
    for (const value of [
      null,
      'text',
      [],
      {},
      { provider: 'github', source: 'code' },
      { ...draft, source: 1 },
    ])
      expect(readKept(value)).toBeNull();
  });
});
