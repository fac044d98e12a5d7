import { describe, expect, it } from 'vitest';
import { render } from './helpers.ts';

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
      'more than 20000 steps',
    ],
    ['a loop around nothing', '{% for i in (1..50000) %}{% endfor %}', 'more than 20000 steps'],
    [
      'a loop that is left at once',
      '{% for i in (1..900) %}{% for j in payload.wide %}{% break %}{% endfor %}{% endfor %}',
      'too large to be looked through',
    ],
    [
      'a count of keys again and again',
      '{% for i in (1..9000) %}{{ payload.wide.size }}{% endfor %}',
      'too large to be looked through',
    ],
    [
      'text that doubles',
      '{% assign s = "aaaa" %}{% for i in (1..99) %}{% assign s = s | append: s %}{% endfor %}',
      'too large',
    ],
    [
      'a list that doubles',
      '{% assign s = payload.l %}{% for i in (1..99) %}{% assign s = s | concat: s %}{% endfor %}',
      'too large',
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
    ['a date format of great width', '{{ 0 | date: "%1000000000d" }}', 'grow too large'],
    [
      'a sum again and again',
      '{% for i in (1..9000) %}{{ payload.l | sum }}{% endfor %}',
      'too large to be looked through',
    ],
    [
      'a search again and again',
      '{% for i in (1..9000) %}{% if payload.text contains "b" %}{% endif %}{% endfor %}',
      'too large to be looked through',
    ],
    [
      'a long case again and again',
      `{% for i in (1..9000) %}{% case i %}{% when ${'"a", '.repeat(900)}"b" %}{% endcase %}{% endfor %}`,
      'more than 20000 steps',
    ],
    [
      'lists compared again and again',
      '{% for i in (1..9000) %}{% case payload.l %}{% when payload.l %}{% endcase %}{% endfor %}',
      'too large to be looked through',
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
