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
  ['split: " " | join: "#"', ' Ada\n  King ', 'Ada#King'],
  ['size', 'a👍', '2'],
  ['split: "" | join: "#"', 'a👍b', 'a#👍#b'],
  ['split: "," | size', 'a,,b,,', '3'],
  ['truncatewords: 2', 'one  two', 'one  two'],
  ['truncatewords: 2', 'one  two three', 'one two...'],
  ['truncatewords: 0, payload.nothing', 'one two', 'one'],
  ['truncate: 4, payload.nothing', 'one two', 'one '],
  ['join: payload.nothing', ['a', ['b']], 'ab'],
  ['default: "b"', {}, 'b'],
  ['default: allow_false: true, "b"', false, 'false'],
  ['default: "b", allow_false: false', false, 'b'],
  ['default: payload.nothing, allow_false: true', null, ''],
  ['date: payload.nothing', '2026-01-05T08:30:00Z', '2026-01-05T08:30:00Z'],
  ['slice: "1", payload.nothing', 'abc', 'b'],
  ['first', '🙂 Ada', '🙂'],
  ['last', 'Ada 🙂', '🙂'],
  ['replace: "", "-"', '🙂👍', '🙂-👍'],
  ['escape_once', '<&nbsp;&quot;&#8364;&amp;> & &x', '&lt;&nbsp;&quot;&#8364;&amp;&gt; &amp; &amp;x'],
  ['url_decode', '50%25 of 100%, %C3%BC+%zz', '50% of 100%, ü %zz'],
  ['url_encode', 'cut \ud83d', 'cut+%EF%BF%BD'],
])('standard filters: %s of %j is %j', (filters, a, expected) => {
  expect(render(`{{ payload.a | ${filters} }}`, { a })).toBe(expected);
});

const WHOLE = 'a length or a place must be a whole number';

it.each([
  ['{{ payload.s | slice: payload.l }}', WHOLE],
  ['{{ payload.s | slice: 1, 2.5 }}', WHOLE],
  ['{{ payload.s | truncate: payload.nothing }}', WHOLE],
  ['{% for x in payload.l limit: payload.s %}{% endfor %}', WHOLE],
])('%s fails: %s', (template, reason) => {
  expect(render(template, { s: 'Ada', l: [1] })).toContain(reason);
});

it('a list of the payload that looks like an option of `default` is its value', () => {
  expect(render('{{ false | default: payload }}', ['allow_false', true])).toBe('allow_falsetrue');
});

it('`contains` finds nothing that is missing', () => {
  const asked = ['payload.nothing', 'nil', 'false'].map((wanted) => `payload.a contains ${wanted}`);
  for (const a of ['undefined null false', [null, false]])
    expect(render(`{% if ${asked.join(' or ')} %}found{% endif %}`, { a })).toBe('');
});
