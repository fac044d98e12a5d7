import { describe, expect, it } from 'vitest';
import { atCursor, localsIn, stepsOf } from '../../../console/pages/templates/editor/at-cursor.ts';

/** The place of `^` in a text. */
const place = (text: string) => atCursor(text.replace('^', ''), text.indexOf('^'));

describe('what can be typed at the cursor', () => {
  it.each([
    ['Hello ^', null],
    ['{{ payload.id }} ^', null],
    ['{{ "a ^', null],
    ['{{ payload.total | money: "E^', null],
    ['{{ 12^', null],
    ['{% ^', { is: 'tag', from: 3 }],
    ['{%- i^', { is: 'tag', from: 4 }],
    ['{{ payload.id | ^', { is: 'filter', from: 16 }],
    ['{{ "a" | up^', { is: 'filter', from: 9 }],
    ['{{ pay^', { is: 'path', from: 3, holder: [] }],
    ['{% if ^', { is: 'path', from: 6, holder: [] }],
    ['{{ payload.^', { is: 'path', from: 11, holder: ['payload'] }],
    ['{{ payload.lines[0].ti^', { is: 'path', from: 20, holder: ['payload', 'lines', 0] }],
    ['{{ payload["First name"].x^', { is: 'path', from: 25, holder: ['payload', 'First name'] }],
    ['{{ a }}{% if payload.x == headers.^', { is: 'path', from: 34, holder: ['headers'] }],
  ])('%s', (text, expected) => {
    expect(place(text)).toEqual(expected);
  });

  it('is looked for in a long text without delay', () => {
    const text = '{'.repeat(20_000);
    expect(atCursor(text, text.length)).not.toBeUndefined();
  });
});

describe('names that the text gives itself', () => {
  it('are those of loops, assignments and captures above the cursor', () => {
    const text =
      '{% for line in payload.lines %}{% assign n = line.qty %}{% assign m = n | plus: 1 %}{% capture c %}';
    expect(localsIn(text, text.length)).toEqual([
      { name: 'line', path: ['payload', 'lines', 0] },
      { name: 'n', path: ['line', 'qty'] },
      { name: 'm', path: null },
      { name: 'c', path: null },
    ]);
    expect(localsIn(text, 10)).toEqual([]);
  });

  it('have paths of names, places and quoted keys', () => {
    expect(stepsOf(`a.b-c[2]["d e"]['f'].g`)).toEqual(['a', 'b-c', 2, 'd e', 'f', 'g']);
  });
});
