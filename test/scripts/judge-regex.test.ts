import { describe, expect, it } from 'vitest';
import { judge } from '../../scripts/judge-regex.ts';

const judged = (pattern: string): string =>
  judge({ file: 'src/one.ts', text: `/${pattern}/`, literal: { pattern, flags: '' } });

describe('a regular expression', () => {
  it('is linear where that is proved', () => {
    expect(judged('^[a-z]+$')).toBe('linear');
  });

  it('needs a reason where nothing slow was found, which proves nothing', () => {
    expect(judged(String.raw`^0+(?=\d)`)).toBe('WRITE WHY: nobody has proved it to be linear (src/one.ts)');
  });

  it('needs a reason where it is slow, and an example of that is given', () => {
    expect(judged('^(a+)+$')).toMatch(/^WRITE WHY: vulnerable, for example .*a.*\(src\/one\.ts\)$/);
  });

  it('needs a reason where it is put together when it runs', () => {
    expect(judge({ file: 'src/one.ts', text: 'new RegExp(x)', literal: null })).toMatch(
      /^WRITE WHY: it is put/,
    );
  });
});
