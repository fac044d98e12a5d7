import { expect, it } from 'vitest';
import { render } from './helpers.ts';

const REQUIRED: Readonly<Record<string, string>> = {
  money: ': "EUR"',
  money_major: ': "EUR"',
  truncate_chars: ': 5',
  pluck: ': "a"',
  flatten: ': "a"',
};

const TEXTS = 'bold italic json mono plain strike truncate_chars unescape wiki_text'.split(' ');
const VALUES = ['datetime', 'duration', 'flatten', 'money', 'money_major', 'number', 'phone', 'pluck', 'sum'];

it('filters of ours leave nothing empty', () => {
  for (const name of [...TEXTS, ...VALUES, 'without_links']) {
    const filter = `${name}${REQUIRED[name] ?? ''}`;
    const template = `[{{ payload.a | ${filter} }}{{ nil | ${filter} }}{{ "" | ${filter} }}]`;
    expect(render(template, { a: null }), name).toBe('[]');
  }
});

it('filters of ours fail with a reason when the locale is not one', () => {
  const locale = { country: 'DE', locale: 'not a locale', timezone: 'Mars/Base' };
  const known = { ...locale, locale: 'de' };
  expect(render('{{ 1 | number }}', {}, locale)).toContain('number: cannot be applied to this value');
  expect(render('{{ 1 | datetime }}', {}, known)).toContain('datetime: cannot be applied to this value');
});

it.each([
  ['{{ payload.l | sort: "n" | map: "n" | join: "-" }}', '1-2'],
  ['{{ payload.l | where: "n", 2 | size }}', '1'],
  ['{{ payload.s | date: "%Y" }}', 'Ada'],
  ['{{ payload.l | last | json: 2 }}', '{\n  "n": 1\n}'],
  ['{{ payload.s | plus: 1 }}{{ payload.l | plus: 1 }}', '11'],
  ['{{ payload.s | slice: payload.l }}', 'A'],
  ['{{ payload.l | find: "n", 1 | json }}', '{"n":1}'],
  ['{{ "%20" | url_decode }}|{{ "<b>x</b>" | strip_html | escape }}', ' |x'],
])('standard filters %s', (template, expected) => {
  expect(render(template, { s: 'Ada', l: [{ n: 2 }, { n: 1 }] })).toBe(expected);
});
