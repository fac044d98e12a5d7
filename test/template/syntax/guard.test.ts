import { expect, it } from 'vitest';
import { createRouteBudget } from '../../../src/template/basics/budget.ts';
import { compileText, renderText } from '../../../src/template/text.ts';
import { GERMAN, render, scopeOf } from '../helpers.ts';

/** The reasons why a render is too much. */
const WORK = 'more than 4194304 units of work';
const OUTPUT = 'more than 65536 characters of output';
const RANGE = 'a range reaches beyond';
const BOUND = /more than (?:4194304 units of work|65536 characters of output)|at most 250 characters/;

const loop = (times: number, body: string) => `{% for i in (1..${times}) %}${body}{% endfor %}`;
const assign = (times: number, value: string) => loop(times, `{% assign x = ${value} %}`);
const iff = (times: number, condition: string) => loop(times, `{% if ${condition} %}{% endif %}`);

const numbers = Array.from({ length: 300 }, (_, index) => index);
const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index]));
const FIFTY = 'a'.repeat(50);

const stars = (rating?: unknown) => render('{% for i in (1..payload.rating) %}*{% endfor %}', { rating });

it.each([
  ['a range to the moon', loop(100_000_000, 'a'), RANGE],
  ['a range from the payload', '{% for i in (1..payload.huge) %}a{% endfor %}', RANGE],
  ['a range where counting stands still', '{{ (payload.p53..payload.p53b) | size }}', RANGE],
  [
    'a range in a property',
    assign(9000, 'payload.l | where: "[(9007199254740992..9007199254740994)]"'),
    WORK,
  ],
  ['a range as the value of a case', '{% case 1 %}{% when (1..100000000) %}{% endcase %}', RANGE],
  ['a limit that is a list', '{% for j in (1..2) limit: payload.l %}{% endfor %}', 'must be a whole number'],
  ['a loop in a loop', loop(300, '{% for j in payload.l %}{{ i }}{% endfor %}'), WORK],
  ['a loop that is left at once', loop(900, '{% for j in payload.wide %}{% break %}{% endfor %}'), WORK],
  ['a count of keys again and again', loop(9000, '{{ payload.wide.size }}'), WORK],
  ['text that doubles', `{% assign x = "aaaa" %}${assign(99, 'x | append: x')}`, WORK],
  ['a list that doubles', `{% assign x = payload.l %}${assign(99, 'x | concat: x')}`, WORK],
  ['literal text in a loop', loop(5000, FIFTY), OUTPUT],
  [
    'a capture that grows',
    `{% assign x = "aaaaaaaa" %}${loop(50, '{% capture x %}{{ x }}{{ x }}{% endcapture %}')}`,
    OUTPUT,
  ],
  ['a date format of great width', '{{ 0 | date: "%1000000000d" }}', WORK],
  ['a search again and again', iff(9000, 'payload.text contains "b"'), WORK],
  [
    'a long case again and again',
    loop(9000, `{% case i %}{% when ${'"a", '.repeat(900)}"b" %}{% endcase %}`),
    WORK,
  ],
])('a render of %s ends with a clear error', (_, template, reason) => {
  const [huge, infinite, p53, p53b] = [1e9, 'Infinity', 2 ** 53, 2 ** 53 + 2];
  const payload = { l: numbers, wide, huge, infinite, p53, p53b, text: 'a'.repeat(2000) };
  const rendered = render(template, payload);
  expect(rendered).toMatch(/^! line 1, /);
  expect(rendered).toContain(reason);
});

it.each([
  ['JSON of an object', assign(9, 'payload.wide | json')],
  ['an object as text', assign(9, 'payload.wide | upcase')],
  ['objects joined', assign(9, 'payload.objects | join')],
  ['lists that print as nothing', loop(100, '{{ payload.empties }}')],
  ['names of days and months', `{{ 0 | date: "${'%c'.repeat(3000)}" }}`],
  ['dates in zones', loop(700, '{{ 0 | date: "%Y", "Asia/Tokyo" }}')],
  ['phone numbers', assign(1100, '"+4915112345678" | phone')],
  ['a long text that is looked for', iff(50, 'payload.text contains payload.almost')],
  ['a text that is looked for from behind', assign(200, 'payload.text | remove_last: payload.ending')],
  ['an object that is perhaps empty', iff(20, 'payload.wide == empty')],
  ['texts that are sorted', assign(900, 'payload.texts | sort_natural')],
  ['a long text that elements are compared with', assign(9, 'payload.l | where: "a", payload.text')],
  ['characters that are counted one by one', assign(200, 'payload.text | truncate_chars: 1999')],
])('a render of %s again and again pays for what is looked at and what is made', (_, template) => {
  const long = 'a'.repeat(2000);
  const deep = numbers.slice(0, 90).reduce<unknown>((inner) => [inner], numbers.concat(numbers, numbers));
  const objects = numbers.map((n) => ({ text: long, n }));
  const empties = numbers.concat(...numbers.map(() => numbers)).map(() => []);
  const almost = `${'a'.repeat(500)}b${'a'.repeat(500)}`;
  const texts = numbers.map((n) => long + String(n));
  const lists = { l: numbers, wide, nested: [numbers], deep, objects, empties, texts };
  const payload = { ...lists, text: long, text2: 'a'.repeat(2000), almost, ending: `${'a'.repeat(200)}b` };
  expect(render(template, payload)).toMatch(BOUND);
});

it.each([
  ['a list as a number', '{{ payload.nested | plus: 1 }}'],
  ['a list as the end of a range', '{% for j in (1..payload.nested) %}{% endfor %}'],
  ['a text as the name of a cycle', '{% cycle payload.text: "a", "b" %}'],
])('a render of %s costs the same whatever is in it', (_, body) => {
  for (const length of [2, 200_000]) {
    const nested = [Array.from({ length }, () => 1)];
    expect(render(loop(3000, body), { nested, text: 'a'.repeat(length) })).not.toMatch(/^!/);
  }
});

it('a render is bounded together with the others of its route', () => {
  const template = compileText('{% for i in (1..100000) limit: 1 %}{{ i }}{% endfor %}');
  if (!template.ok) throw new Error(template.error);
  const scope = scopeOf({}, { budget: createRouteBudget() });
  const rendered = Array.from({ length: 400 }, () => renderText(template.value, scope, GERMAN));
  expect(rendered[0]).toEqual({ ok: true, value: '1' });
  expect(rendered.at(-1)).toMatchObject({ ok: false });
});

it('a render of a payload nested beyond the stack ends with a clear error', () => {
  const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
  expect(render('{{ payload }}', deep)).toBe('! line 1, {{ payload }}: a value is nested too deeply');
});

it('a render has room for a long list in a message, and for a range of the payload’s whole numbers', () => {
  const list = render('{% for i in payload.l %}{{ i }} {% endfor %}', { l: numbers });
  expect(list).toBe(`${numbers.join(' ')} `);
  expect([4, '4.5', undefined, 'many'].map(stars)).toEqual(['****', '****', '', '']);
});

it('a render goes on where a loop over the same list has stopped', () => {
  const first = '{% for i in payload.l limit: 2 %}{{ i }}{% endfor %}';
  const next = '{% for i in payload.l offset: continue limit: 2 %}{{ i }}{% endfor %}';
  expect(render(`${first}|${next}`, { l: numbers })).toBe('01|23');
});
