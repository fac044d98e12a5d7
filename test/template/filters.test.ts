import { describe, expect, it } from 'vitest';
import { render } from './helpers.ts';

const REQUIRED: Readonly<Record<string, string>> = {
  money: ': "EUR"',
  money_major: ': "EUR"',
  truncate_chars: ': 5',
  pluck: ': "a"',
  flatten: ': "a"',
};

const OWN = [
  'bold',
  'datetime',
  'duration',
  'flatten',
  'italic',
  'json',
  'money',
  'money_major',
  'mono',
  'number',
  'phone',
  'plain',
  'pluck',
  'strike',
  'sum',
  'truncate_chars',
  'unescape',
  'wiki_text',
  'without_links',
];

describe('filters of ours', () => {
  it.each(OWN)('%s leaves nothing empty', (name) => {
    const filter = `${name}${REQUIRED[name] ?? ''}`;
    expect(
      render(`[{{ payload.a | ${filter} }}{{ nil | ${filter} }}{{ "" | ${filter} }}]`, { a: null }),
    ).toBe('[]');
  });

  it('name themselves when they fail', () => {
    expect(render('{{ payload.a | upcase | duration }}', { a: 'x' })).toContain(
      ': duration: "X" is not a duration',
    );
  });

  it('fail with a reason when the locale is not one', () => {
    const locale = { country: 'DE', locale: 'not a locale', timezone: 'Mars/Base' };
    expect(render('{{ 1 | number }}', {}, locale)).toContain('number: cannot be applied to this value');
    expect(render('{{ 1 | datetime }}', {}, { ...locale, locale: 'de' })).toContain(
      'datetime: cannot be applied to this value',
    );
  });
});

describe('json', () => {
  it('prints JSON, in lines if asked', () => {
    expect(render('{{ payload | json }}', { a: [1] })).toBe('{"a":[1]}');
    expect(render('{{ payload | json: 2 }}', { a: 1 })).toBe('{\n  "a": 1\n}');
  });
});

describe('standard filters', () => {
  it.each([
    ['{{ payload.s | upcase }}', 'ADA'],
    ['{{ payload.l | sort: "n" | map: "n" | join: "-" }}', '1-2'],
    ['{{ payload.l | where: "n", 2 | size }}', '1'],
    ['{{ payload.none | default: "you" }}', 'you'],
    ['{{ payload.s | replace: "a", "o" }}', 'Ado'],
    ['{{ payload.l | first | json }}', '{"n":2}'],
    ['{{ 10 | divided_by: 4 }}', '2.5'],
    ['{{ payload.s | date: "%Y" }}', 'Ada'],
    ['{{ "a b" | url_encode }}', 'a+b'],
    ['{{ payload.s | plus: 1 }}{{ payload.l | plus: 1 }}', '11'],
    ['{{ payload.s | slice: payload.l }}', 'A'],
    ['{{ payload.l | find: "n", 1 | json }}', '{"n":1}'],
    ['{{ "%20" | url_decode }}|{{ "<b>x</b>" | strip_html | escape }}', ' |x'],
  ])('%s', (template, expected) => {
    expect(render(template, { s: 'Ada', l: [{ n: 2 }, { n: 1 }] })).toBe(expected);
  });

  it('fail without quoting the payload', () => {
    expect(render('{{ payload.a | url_decode }}', { a: '%secret' })).toBe(
      '! line 1, {{ payload.a | url_decode }}: url_decode: cannot be applied to this value',
    );
  });
});
