import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { suggest } from '../../src/lib/suggest.ts';

const KEYS = 'name when to template send each stop delay expires on_uncertain max_length'.split(' ');

it.each([
  ['tempalte', 'template'],
  ['on-uncertain', 'on_uncertain'],
  ['maxLength', 'max_length'],
  ['When', 'when'],
])('suggest %s: did you mean %s?', (word, meant) => {
  expect(suggest(word, KEYS)).toBe(meant);
});

it('suggest is none of what is close to none, or too long to be typed by hand', () => {
  for (const word of ['', 'x', 'zz', 'recipients', 'colour', 'xxxxxxxx'])
    expect(suggest(word, KEYS)).toBeNull();
  const long = 'a'.repeat(100_000);
  for (const word of [long, 'a'.repeat(60)]) expect(suggest(word, [long])).toBeNull();
});

it('suggest prefers the closest, and of equally close ones the first', () => {
  expect(suggest('sends', ['ends', 'send', 'sendx'])).toBe('ends');
  expect(suggest('template1', ['templates2', 'template2'])).toBe('template2');
});

it('suggest finds a word of four or more letters after any one letter was lost', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{4,20}$/), fc.nat({ max: 19 }), (word, at) => {
      fc.pre(at < word.length);
      expect(suggest(word.slice(0, at) + word.slice(at + 1), ['ZZZZZZZZZZ', word])).toBe(word);
    }),
  );
});
