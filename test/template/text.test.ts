import { describe, expect, it } from 'vitest';
import { MAX_SOURCE_LENGTH } from '../../src/template/basics/limits.ts';
import { compileText, renderText } from '../../src/template/text.ts';
import { GERMAN, refusal, render, scopeOf } from './helpers.ts';

describe('compileText', () => {
  it('lists the inner texts of the outputs, without those that are raw or commented out', () => {
    const compiled = compileText(
      '{{ payload.a }} {%- raw %}{{ x }}{% endraw %}{% comment %}{{ y }}{% endcomment %}{{- payload.b | upcase -}}',
    );
    expect(compiled.ok && compiled.value.expressions).toEqual(['payload.a', 'payload.b | upcase']);
  });

  it('keeps the source', () => {
    const compiled = compileText('Hello {{ payload.a }}');
    expect(compiled.ok && compiled.value.source).toBe('Hello {{ payload.a }}');
  });

  it('interprets nothing where there is nothing to interpret', () => {
    const compiled = compileText('100 % { } %} }}');
    expect(compiled.ok && compiled.value.nodes).toBeUndefined();
    expect(render('100 % { } %} }}')).toBe('100 % { } %} }}');
  });

  it.each(['a', '{{ payload.a }}'])('refuses a source that is too long: %s', (piece) => {
    expect(refusal(piece.repeat(MAX_SOURCE_LENGTH + 1))).toBe(`longer than ${MAX_SOURCE_LENGTH} characters`);
  });
});

describe('renderText', () => {
  it('reads every part of the scope', () => {
    const compiled = compileText(
      '{{ payload.a }} {{ event.type }} {{ headers["x-a"] }} {{ query.q }} {{ item.n }} {{ index }}',
    );
    if (!compiled.ok) throw new Error(compiled.error);
    const scope = scopeOf({ a: 1 }, { headers: { 'x-a': '2' }, query: { q: '3' }, item: { n: 4 }, index: 5 });
    expect(renderText(compiled.value, scope, GERMAN)).toEqual({ ok: true, value: '1 paid 2 3 4 5' });
  });

  it('renders what is missing as nothing', () => {
    expect(render('[{{ payload.a.b.c }}{{ item }}{{ index }}{{ event.dedupe_key }}]')).toBe('[]');
  });

  it('prints an object as JSON, and a list as its elements', () => {
    expect(render('{{ payload.o }} {{ payload.l }}', { o: { a: [1] }, l: [1, 'b', { c: 2 }] })).toBe(
      '{"a":[1]} 1b{"c":2}',
    );
  });

  it('prints an object as JSON through the filters for text as well', () => {
    expect(
      render('{{ payload.o | append: "!" }} {{ payload.l | join: ", " }}', { o: { a: 1 }, l: [{ b: 2 }, 3] }),
    ).toBe('{"a":1}! {"b":2}, 3');
  });

  it('does not change the scope, whatever a template assigns or counts', () => {
    const scope = scopeOf({ a: 1 });
    const compiled = compileText('{% assign payload = 1 %}{% increment event %}{% increment headers %}');
    if (!compiled.ok) throw new Error(compiled.error);
    renderText(compiled.value, scope, GERMAN);
    expect(scope).toEqual(scopeOf({ a: 1 }));
  });

  it('keeps nothing from one render to the next', () => {
    const compiled = compileText('{% increment n %}{% cycle "a", "b" %}{{ x }}{% assign x = 1 %}');
    if (!compiled.ok) throw new Error(compiled.error);
    const first = renderText(compiled.value, scopeOf({}), GERMAN);
    expect(renderText(compiled.value, scopeOf({}), GERMAN)).toEqual(first);
  });

  it('names the expression, the filter and the reason when it fails', () => {
    const template = 'Dear customer,\n{{ payload.price | money: payload.currency }}';
    expect(render(template, { price: 5, currency: 'EURO' })).toBe(
      '! line 2, {{ payload.price | money: payload.currency }}: money: unknown currency "EURO": an ISO 4217 code is needed',
    );
  });

  it('shows at most four characters of the payload in an error', () => {
    expect(render('{{ payload.a | number }}', { a: 'secret-value' })).toContain('"secr…" is not a number');
    expect(render('{{ payload.a | url_decode }}', { a: 'secret%zz' })).not.toContain('secret');
  });

  it('renders control flow', () => {
    const template =
      '{% for i in payload.items %}{% if i.n > 1 and i.ok %}{{ forloop.index }}:{{ i.n }}{% unless forloop.last %}, {% endunless %}{% endif %}{% else %}none{% endfor %}';
    expect(render(template, { items: [{ n: 1 }, { n: 2, ok: true }, { n: 3, ok: true }] })).toBe('2:2, 3:3');
    expect(render(template, { items: [] })).toBe('none');
  });

  it('renders every tag that stays', () => {
    expect(render('{% case payload.a %}{% when 1 or 2 %}low{% else %}high{% endcase %}', { a: 2 })).toBe(
      'low',
    );
    expect(render('{% capture x %}a{{ payload.a }}{% endcapture %}{{ x }}{{ x }}', { a: 1 })).toBe('a1a1');
    expect(
      render('{% liquid\n assign y = payload.a | plus: 2\n if y == 3\n echo "three"\n endif\n%}', { a: 1 }),
    ).toBe('three');
    expect(
      render('{% for x in payload.l limit: 2 offset: 1 reversed %}{{ x }}{% endfor %}', { l: [1, 2, 3, 4] }),
    ).toBe('32');
    expect(
      render('{% for x in payload.l %}{% if x == 2 %}{% break %}{% endif %}{{ x }}{% endfor %}', {
        l: [1, 2],
      }),
    ).toBe('1');
    expect(render('{% # a remark %}{% decrement n %}')).toBe('-1');
  });
});

describe('attacks', () => {
  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'never reaches a prototype by %s',
    (key) => {
      const payload = { s: 'text', l: [1], o: {}, n: 1, key };
      expect(
        render(
          '{{ payload.s[payload.key] }}{{ payload.l[payload.key] }}{{ payload.o[payload.key] }}',
          payload,
        ),
      ).toBe('');
      expect(
        render(`{{ payload.n.${key} }}{{ payload.o.${key} }}{{ payload.l | map: "${key}" }}`, payload),
      ).toBe('');
      expect(
        render('{% for x in payload.l %}{{ forloop[payload.key] }}{{ forloop.next }}{% endfor %}', payload),
      ).toBe('');
    },
  );

  it('takes an own key named __proto__ as a plain key', () => {
    expect(render('{{ payload.__proto__.a }}', JSON.parse('{"__proto__": {"a": 1}}'))).toBe('1');
  });

  it('does not interpret what a payload holds', () => {
    expect(render('{{ payload.a }}', { a: '{{ headers }}{% if %}' })).toBe('{{ headers }}{% if %}');
  });
});
