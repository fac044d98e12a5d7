import { describe, expect, it } from 'vitest';
import { readMarkdown } from '../../shared/markdown.ts';

describe('a provider’s guide', () => {
  it('is read as lists, emphasis, code and links', () => {
    expect(readMarkdown('1. Open **A → B** and *c*.\n\n- `x_y` at [docs](https://a.example/d)')).toEqual([
      {
        bullet: '1. ',
        pieces: [
          { text: 'Open ' },
          { text: 'A → B', look: 'strong' },
          { text: ' and ' },
          { text: 'c', look: 'em' },
          { text: '.' },
        ],
      },
      { bullet: '', pieces: [] },
      {
        bullet: '- ',
        pieces: [
          { text: 'x_y', look: 'code' },
          { text: ' at ' },
          { text: 'docs', href: 'https://a.example/d' },
        ],
      },
    ]);
  });
  it.each(['[x](javascript:alert(1))', '<img src=x onerror=alert(1)>', 'a * b * c'])(
    'leaves %j as it is written',
    (text) => {
      expect(
        readMarkdown(text)
          .flatMap(({ pieces }) => pieces)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
      expect(JSON.stringify(readMarkdown(text))).not.toContain('href');
    },
  );
});
