import { expect, it } from 'vitest';
import { ROOTS } from '../../src/template/basics/scope.ts';
import { compileText, renderText } from '../../src/template/text.ts';
import { GERMAN, render, scopeOf } from './helpers.ts';

it('a context holds the content of a notification beside them, in place of those of the event', () => {
  const notification = { at: '2026-11-21T07:00:00Z', names: { count: 2, first: { item: 'a' }, item: 'b' } };
  const scope = scopeOf({ a: 1 }, { item: 'c', notification });
  const names = '{{ count }} {{ first.item }} {{ item }} {{ payload.a }} {{ more }}';
  const text = compileText(`${names}{{ "now" | date: "%H" }}`, ROOTS);
  expect(text.ok && renderText(text.value, scope, GERMAN)).toEqual({ ok: true, value: '2 a b 1 08' });
});

it('a context shows of a loop what a template may know, and counts the keys of an object', () => {
  const known = '{{ forloop.index }}{{ forloop.first }}{{ forloop.length }}';
  const loop = `{% for x in payload %}${known}{{ forloop.next }}{{ forloop.i }}{% endfor %}`;
  expect(render(loop, ['a'])).toBe('1true1');
  const inner = '{% for y in x %}{{ forloop.parentloop.index }}{{ forloop.index }} {% endfor %}';
  const nested = `{% for x in payload %}${inner}{{ forloop.parentloop.index }}{% endfor %}`;
  expect(render(nested, [['a', 'b'], ['c']])).toBe('11 12 21 ');
  const sizes = '{{ payload.o.size }}{{ payload.l.size }}{{ payload.s.size }}{{ payload.x.size }}';
  expect(render(sizes, { o: { a: 1, b: 2 }, l: [1], s: 'ab👍', x: { size: 'L' } })).toBe('213L');
});
