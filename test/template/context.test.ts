import { describe, expect, it } from 'vitest';
import { createContext } from '../../src/template/context.ts';
import { ROOTS } from '../../src/template/basics/scope.ts';
import { liquid } from '../../src/template/engine.ts';
import { compileText, renderText } from '../../src/template/text.ts';
import { GERMAN, render, scopeOf } from './helpers.ts';

describe('a context', () => {
  it('holds the names of the scope and no others', () => {
    const context = createContext(liquid, scopeOf({ a: 1 }), GERMAN);
    expect(Object.keys(context.environments)).toEqual([
      'payload',
      'event',
      'headers',
      'query',
      'item',
      'index',
      'actions',
    ]);
    expect(Object.getPrototypeOf(context.environments)).toBeNull();
  });

  it('holds the content of a notification beside them, in place of those of the event', () => {
    const notification = { at: '2026-11-21T07:00:00Z', names: { count: 2, first: { item: 'a' }, item: 'b' } };
    const scope = scopeOf({ a: 1 }, { item: 'c', notification });
    const text = compileText(
      '{{ count }} {{ first.item }} {{ item }} {{ payload.a }} {{ more }}{{ "now" | date: "%H" }}',
      ROOTS,
    );
    expect(text.ok && renderText(text.value, scope, GERMAN)).toEqual({ ok: true, value: '2 a b 1 08' });
  });

  it('shows of a loop what a template may know', () => {
    const template =
      '{% for x in payload %}{{ forloop.index }}{{ forloop.first }}{{ forloop.length }}{{ forloop.next }}{{ forloop.i }}{% endfor %}';
    expect(render(template, ['a'])).toBe('1true1');
  });

  it('counts the keys of an object, unless it has a size of its own', () => {
    expect(
      render('{{ payload.o.size }}{{ payload.l.size }}{{ payload.s.size }}{{ payload.x.size }}', {
        o: { a: 1, b: 2 },
        l: [1],
        s: 'abc',
        x: { size: 'L' },
      }),
    ).toBe('213L');
  });
});
