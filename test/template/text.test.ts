import { expect, it } from 'vitest';
import { MAX_SOURCE_LENGTH } from '../../src/template/basics/budget.ts';
import { compileText, renderText, compileCondition, compilePath, readPath } from '../../src/template/text.ts';
import { GERMAN, refusal, render, scopeOf } from './helpers.ts';

function compiled(source: string) {
  const text = compileText(source);
  if (!text.ok) throw new Error(text.error);
  return text.value;
}

it('a template that is compiled lists the inner texts of the outputs, without those that are raw or commented out', () => {
  const raw = '{%- raw %}{{ x }}{% endraw %}{% comment %}{{ y }}{% endcomment %}';
  const { expressions } = compiled(`{{ payload.a }} ${raw}{{- payload.b | upcase -}}`);
  expect(expressions).toEqual(['payload.a', 'payload.b | upcase']);
});

it('a template that is compiled is refused when it or an expression is too long', () => {
  for (const piece of ['a', '{{ payload.a }}'])
    expect(refusal(piece.repeat(MAX_SOURCE_LENGTH + 1))).toBe(`longer than ${MAX_SOURCE_LENGTH} characters`);
  const long = compileCondition(`payload.a == "${'a'.repeat(MAX_SOURCE_LENGTH)}"`);
  expect(long).toEqual({ ok: false, error: `longer than ${MAX_SOURCE_LENGTH} characters` });
});

it('a template that is compiled is refused with a sentence, whichever check finds the problem', () => {
  expect(refusal('{{ payload.a b }}')).toMatch(/^column 14: unexpected `b`/);
  expect(refusal('{{ data }}')).toMatch(/^column 4: unknown name "data"/);
  expect(refusal('\n{{ data')).toBe('line 2, column 1: output "{{ data" not closed');
  expect(refusal('{% liquid\n =\n%}')).toBe('line 2, column 2: expected the name of a tag, found `=`');
});

it('a template that is rendered prints nothing for what is missing, JSON for an object, also through filters, and elements for a list', () => {
  expect(render('[{{ payload.a.b.c }}{{ item }}{{ index }}{{ event.dedupe_key }}]')).toBe('[]');
  const payload = { o: { a: [1] }, l: [1, 'b', { c: 2 }] };
  expect(render('{{ payload.o }} {{ payload.l }}', payload)).toBe('{"a":[1]} 1b{"c":2}');
  const filtered = '{{ payload.o | append: "!" }} {{ payload.l | join: ", " }}';
  expect(render(filtered, payload)).toBe('{"a":[1]}! 1, b, {"c":2}');
});

it('a template that is rendered neither changes the scope nor keeps anything, whatever it assigns or counts', () => {
  const scope = scopeOf({ a: 1 });
  const assigns = '{% assign payload = 1 %}{% increment event %}{% increment headers %}';
  renderText(compiled(assigns), scope, GERMAN);
  expect(scope).toEqual(scopeOf({ a: 1 }));
  const counts = compiled('{% increment n %}{% cycle "a", "b" %}{{ x }}{% assign x = 1 %}');
  const first = renderText(counts, scopeOf({}), GERMAN);
  expect(renderText(counts, scopeOf({}), GERMAN)).toEqual(first);
});

it('a template that is rendered names the expression, the filter and the reason when it fails, with four characters of the payload', () => {
  const template = 'Dear customer,\n{{ payload.price | money: payload.currency }}';
  expect(render(template, { price: 5, currency: 'EURO' })).toBe(
    '! line 2, {{ payload.price | money: payload.currency }}: money: unknown currency "EURO": an ISO 4217 code is needed',
  );
  expect(render('{{ payload.a | number }}', { a: 'secret-value' })).toContain('"secr…" is not a number');
  expect(render('{{ payload.a | url_decode }}', { a: 'secret%ff' })).not.toContain('secret');
});

it('attacks never reach a prototype', () => {
  for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    const payload = { s: 'text', l: [1], o: {}, n: 1, key };
    for (const template of [
      '{{ payload.s[payload.key] }}{{ payload.l[payload.key] }}{{ payload.o[payload.key] }}',
      `{{ payload.n.${key} }}{{ payload.o.${key} }}{{ payload.l | map: "${key}" }}`,
      '{% for x in payload.l %}{{ forloop[payload.key] }}{{ forloop.next }}{% endfor %}',
    ])
      expect(render(template, payload), template).toBe('');
  }
  expect(render('{{ payload.__proto__.a }}', JSON.parse('{"__proto__": {"a": 1}}'))).toBe('1');
});

it('attacks are not made by a payload, in which nothing is interpreted', () => {
  expect(render('{{ payload.a }}', { a: '{{ headers }}{% if %}' })).toBe('{{ headers }}{% if %}');
});

const read = (expression: string, payload: unknown = {}): unknown => {
  const path = compilePath(expression);
  const result = path.ok ? readPath(path.value, scopeOf(payload), GERMAN) : path;
  return result.ok ? result.value : result.error;
};

it('a path answers the value itself, may have filters, and is no condition', () => {
  const alerts = [{ status: 'firing' }, { status: 'resolved' }];
  expect(read('payload.alerts', { alerts })).toBe(alerts);
  expect(read('payload.alerts[1].status', { alerts })).toBe('resolved');
  expect(read('payload.alerts', {})).toBeUndefined();
  expect(read('payload.alerts | where: "status", "firing"', { alerts })).toEqual([alerts[0]]);
  expect(read('payload.a == 1')).toBe('column 11: unexpected `=`: expected a filter or the end');
  const failed = 'payload.a | pluck: "b": pluck: the value is not a list';
  expect(read('payload.a | pluck: "b"', { a: 1 })).toBe(failed);
});
