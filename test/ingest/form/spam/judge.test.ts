import { describe, expect, it } from 'vitest';
import { countLinks } from '../../../../src/ingest/form/spam/judge.ts';

describe('links of a form', () => {
  it.each([
    ['no link', 'Do you deliver to Berlin?', 0],
    ['an address', 'See https://shop.example/a?b=c#d', 1],
    ['one in brackets', '<a href="http://evil.example">x</a> [url=https://evil.example]', 2],
    ['without a scheme', 'www.evil.example and evil.example/win', 2],
    ['several in one word', 'https://a.example,https://www.b.example', 2],
    ['an e-mail address, which is none', 'ada.lovelace@example.com', 0],
    ['the end of a sentence, which is none', 'ok.Thanks. Bye.', 0],
    ['a price and a time, which are none', '12.50 at 9.30', 0],
  ])('%s', (_, text, count) => {
    expect(countLinks(text)).toBe(count);
  });

  it.each(['a.', 'a', 'https://', '.', 'www.', 'a-'])('a megabyte of %s is counted at once', (part) => {
    const begin = performance.now();
    countLinks(part.repeat(1_000_000 / part.length));
    expect(performance.now() - begin).toBeLessThan(2_000);
  });
});
