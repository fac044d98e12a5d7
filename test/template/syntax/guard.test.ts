import { describe, expect, it } from 'vitest';
import { createRouteBudget } from '../../../src/template/basics/budget.ts';
import { compileText, renderText } from '../../../src/template/text.ts';
import { GERMAN, render, scopeOf } from '../helpers.ts';

/** The reason of a render that is too much work. */
const WORK = 'more than 4194304 units of work';
const BOUND = /more than (?:4194304 units of work|65536 characters of output)|at most 250 characters/;

const numbers = Array.from({ length: 300 }, (_, index) => index);
const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index]));

describe('bounds of a render', () => {
  it.each([
    ['a range to the moon', '{% for i in (1..100000000) %}a{% endfor %}', 'a range reaches beyond'],
    ['a range from the payload', '{% for i in (1..payload.huge) %}a{% endfor %}', 'a range reaches beyond'],
    [
      'a range where counting stands still',
      '{{ (payload.p53..payload.p53b) | size }}',
      'a range reaches beyond',
    ],
    [
      'a range in the property of a filter',
      '{% for i in (1..9000) %}{% assign x = payload.l | where: "[(9007199254740992..9007199254740994)]" %}{% endfor %}',
      WORK,
    ],
    ['a range without end', '{% for i in (1..payload.infinite) %}{% endfor %}', 'a range reaches beyond'],
    [
      'a range inside a group and a filter',
      '{{ payload.a | default: (1..100000000) }}',
      'a range reaches beyond',
    ],
    [
      'a range as the value of a case',
      '{% case 1 %}{% when (1..100000000) %}{% endcase %}',
      'a range reaches beyond',
    ],
    [
      'a loop in a loop',
      '{% for i in payload.l %}{% for j in payload.l %}{{ i }}{% endfor %}{% endfor %}',
      WORK,
    ],
    ['a loop around nothing', '{% for i in (1..50000) %}{% endfor %}', WORK],
    [
      'a loop that is left at once',
      '{% for i in (1..900) %}{% for j in payload.wide %}{% break %}{% endfor %}{% endfor %}',
      WORK,
    ],
    ['a count of keys again and again', '{% for i in (1..9000) %}{{ payload.wide.size }}{% endfor %}', WORK],
    [
      'text that doubles',
      '{% assign s = "aaaa" %}{% for i in (1..99) %}{% assign s = s | append: s %}{% endfor %}',
      WORK,
    ],
    [
      'a list that doubles',
      '{% assign s = payload.l %}{% for i in (1..99) %}{% assign s = s | concat: s %}{% endfor %}',
      WORK,
    ],
    [
      'literal text in a loop',
      `{% for i in (1..5000) %}${'a'.repeat(50)}{% endfor %}`,
      'more than 65536 characters of output',
    ],
    [
      'literal text in a capture',
      `{% capture x %}{% for i in (1..5000) %}${'a'.repeat(50)}{% endfor %}{% endcapture %}`,
      'more than 65536 characters of output',
    ],
    [
      'a capture that grows',
      '{% assign x = "aaaaaaaa" %}{% for i in (1..50) %}{% capture x %}{{ x }}{{ x }}{% endcapture %}{% endfor %}',
      'more than 65536 characters of output',
    ],
    [
      'raw text in a loop',
      `{% for i in (1..5000) %}{% raw %}${'{'.repeat(50)}{% endraw %}{% endfor %}`,
      'more than 65536 characters of output',
    ],
    ['a date format of great width', '{{ 0 | date: "%1000000000d" }}', WORK],
    ['a sum again and again', '{% for i in (1..9000) %}{{ payload.l | sum }}{% endfor %}', WORK],
    [
      'a search again and again',
      '{% for i in (1..9000) %}{% if payload.text contains "b" %}{% endif %}{% endfor %}',
      WORK,
    ],
    [
      'a long case again and again',
      `{% for i in (1..9000) %}{% case i %}{% when ${'"a", '.repeat(900)}"b" %}{% endcase %}{% endfor %}`,
      WORK,
    ],
  ])('%s ends with a clear error', (_, template, reason) => {
    const payload = {
      l: numbers,
      wide,
      huge: 1e9,
      infinite: 'Infinity',
      p53: 2 ** 53,
      p53b: 2 ** 53 + 2,
      text: 'a'.repeat(2000),
    };
    const rendered = render(template, payload);
    expect(rendered).toMatch(/^! line 1, /);
    expect(rendered).toContain(reason);
  });

  it.each([
    ['JSON of an object', '{% for i in (1..9) %}{% assign x = payload.wide | json %}{% endfor %}'],
    ['JSON that is indented', '{% for i in (1..99) %}{% assign x = payload.deep | json: 2 %}{% endfor %}'],
    ['an object as text', '{% for i in (1..9) %}{% assign x = payload.wide | upcase %}{% endfor %}'],
    ['objects joined', '{% for i in (1..9) %}{% assign x = payload.objects | join %}{% endfor %}'],
    ['lists that print as nothing', '{% for i in (1..100) %}{{ payload.empties }}{% endfor %}'],
    ['names of days and months', `{{ 0 | date: "${'%c'.repeat(3000)}" }}`],
    ['dates of a far year', '{% for i in (1..120) %}{{ 32503680000 | date: "%Y" }}{% endfor %}'],
    ['phone numbers', '{% for i in (1..1100) %}{% assign x = "+4915112345678" | phone %}{% endfor %}'],
    [
      'a long text that is looked for',
      '{% for i in (1..50) %}{% if payload.text contains payload.almost %}{% endif %}{% endfor %}',
    ],
    [
      'a long text that is replaced',
      '{% for i in (1..50) %}{% assign x = payload.text | replace: payload.almost, "b" %}{% endfor %}',
    ],
    [
      'a text that is looked for from behind',
      '{% for i in (1..200) %}{% assign x = payload.text | remove_last: payload.ending %}{% endfor %}',
    ],
    [
      'texts that are compared',
      '{% for i in (1..3000) %}{% if payload.text < payload.text2 %}{% endif %}{% endfor %}',
    ],
    [
      'lists that are compared',
      '{% for i in (1..3000) %}{% if payload.l < payload.l %}{% endif %}{% endfor %}',
    ],
    [
      'an object that is perhaps empty',
      '{% for i in (1..20) %}{% if payload.wide == empty %}{% endif %}{% endfor %}',
    ],
    [
      'texts that are sorted',
      '{% for i in (1..900) %}{% assign x = payload.texts | sort_natural %}{% endfor %}',
    ],
    [
      'elements that are asked for',
      '{% for i in (1..900) %}{% assign x = payload.l | where: "a", 1 %}{% endfor %}',
    ],
    [
      'a long path in each element',
      '{% for i in (1..9) %}{% assign x = payload.l | pluck: payload.text %}{% endfor %}',
    ],
    [
      'a long text that each element is compared with',
      '{% for i in (1..9) %}{% assign x = payload.l | where: "a", payload.text %}{% endfor %}',
    ],
    [
      'characters that are counted one by one',
      '{% for i in (1..200) %}{% assign x = payload.text | truncate_chars: 1999 %}{% endfor %}',
    ],
  ])('%s again and again: what is looked at and what is made is paid for', (_, template) => {
    const payload = {
      l: numbers,
      wide,
      nested: [numbers],
      deep: numbers.slice(0, 90).reduce<unknown>((inner) => [inner], numbers.concat(numbers, numbers)),
      objects: numbers.map((n) => ({ text: 'a'.repeat(2000), n })),
      empties: numbers.concat(...numbers.map(() => numbers)).map(() => []),
      text: 'a'.repeat(2000),
      text2: 'a'.repeat(2000),
      almost: `${'a'.repeat(500)}b${'a'.repeat(500)}`,
      ending: `${'a'.repeat(200)}b`,
      texts: numbers.map((n) => 'a'.repeat(2000) + String(n)),
    };
    expect(render(template, payload)).toMatch(BOUND);
  });

  it.each([
    ['a list as a number', '{% for i in (1..3000) %}{{ payload.nested | plus: 1 }}{% endfor %}'],
    ['a list as a key', '{% for i in (1..3000) %}{{ payload[payload.nested] }}{% endfor %}'],
    [
      'a list as the end of a range',
      '{% for i in (1..3000) %}{% for j in (1..payload.nested) %}{% endfor %}{% endfor %}',
    ],
    [
      'a list as the limit of a loop',
      '{% for i in (1..3000) %}{% for j in (1..2) limit: payload.nested %}{% endfor %}{% endfor %}',
    ],
    [
      'a text as the name of a cycle',
      '{% for i in (1..3000) %}{% cycle payload.text: "a", "b" %}{% endfor %}',
    ],
    [
      'lists in a case',
      '{% for i in (1..3000) %}{% case payload.nested %}{% when payload.nested %}{% endcase %}{% endfor %}',
    ],
  ])('%s costs the same whatever is in it', (_, template) => {
    for (const length of [2, 200_000]) {
      const nested = [Array.from({ length }, () => 1)];
      expect(render(template, { nested, text: 'a'.repeat(length) })).not.toMatch(/^!/);
    }
  });

  it('what many renders of a route make is bounded together', () => {
    const template = compileText('{% for i in (1..100000) limit: 1 %}{{ i }}{% endfor %}');
    if (!template.ok) throw new Error(template.error);
    const scope = scopeOf({}, { budget: createRouteBudget() });
    const rendered = Array.from({ length: 400 }, () => renderText(template.value, scope, GERMAN));
    expect(rendered[0]).toEqual({ ok: true, value: '1' });
    expect(rendered.at(-1)).toMatchObject({ ok: false });
  });

  it('a payload nested beyond the stack ends with a clear error', () => {
    const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    expect(render('{{ payload }}', deep)).toBe('! line 1, {{ payload }}: a value is nested too deeply');
  });

  it('leaves room for a long list in a message', () => {
    expect(render('{% for i in payload.l %}{{ i }} {% endfor %}', { l: numbers })).toBe(
      `${numbers.join(' ')} `,
    );
  });

  it('counts a range from the payload as its whole numbers', () => {
    const stars = '{% for i in (1..payload.rating) %}*{% endfor %}';
    expect(render(stars, { rating: 4 })).toBe('****');
    expect(render(stars, { rating: '4.5' })).toBe('****');
    expect(render(stars, {})).toBe('');
    expect(render(stars, { rating: 'many' })).toBe('');
  });

  it('does not show in the name of a loop', () => {
    expect(render('{% for i in payload.l limit: 1 %}{{ forloop.name }}{% endfor %}', { l: numbers })).toBe(
      'i-payload.l',
    );
  });

  it('goes on where a loop over the same list has stopped', () => {
    const template =
      '{% for i in payload.l limit: 2 %}{{ i }}{% endfor %}|{% for i in payload.l offset: continue limit: 2 %}{{ i }}{% endfor %}';
    expect(render(template, { l: numbers })).toBe('01|23');
  });
});
