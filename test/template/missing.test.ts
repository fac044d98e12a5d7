import { describe, expect, it } from 'vitest';
import { compileCondition } from '../../src/template/condition.ts';
import { missingIn, valuesIn } from '../../src/template/missing.ts';
import type { Scope } from '../../src/template/basics/scope.ts';
import { compileText } from '../../src/template/text.ts';
import { GERMAN, scopeOf } from './helpers.ts';

/** The variables that a template reads in vain, each with its hint. */
function missing(source: string, payload: unknown = {}, more: Partial<Scope> = {}): readonly string[] {
  const compiled = compileText(source);
  if (!compiled.ok) throw new Error(compiled.error);
  return missingIn(compiled.value, scopeOf(payload, more), GERMAN).map(({ path, hint }) => path + hint);
}

/** The variables of a condition and what they stand for. */
function values(source: string, payload: unknown = {}): readonly unknown[] {
  const compiled = compileCondition(source);
  if (!compiled.ok) throw new Error(compiled.error);
  return valuesIn(compiled.value, scopeOf(payload), GERMAN).map(({ path, value, missing: none }) =>
    none === null ? [path, value] : [path, `none${none.hint}`],
  );
}

const order = { id: 7, buyer: { name: 'Ada', phone: null }, lines: [{ title: 'Tea' }, { name: 'Milk' }] };

describe('what a template reads and the event does not have', () => {
  it.each([
    ['{{ payload.id }} {{ payload.buyer.name }}', []],
    ['{{ payload.total }}', ['payload.total']],
    ['{{ payload.total }} and again {{ payload.total }}', ['payload.total']],
    ['{{ payload.buyer.street.number }}', ['payload.buyer.street.number']],
    ['{{ payload["First name"] }}', ['payload["First name"]']],
    ['{{ headers.x-shop }} {{ query.ref }}', ['headers.x-shop', 'query.ref']],
    ['{{ payload.id | money: payload.currency }}', ['payload.currency']],
    ['{{ item.title }}', ['item.title']],
  ])('is named as it is written: %s', (source, names) => {
    expect(missing(source, order)).toEqual(names);
  });

  it('comes with the key that was probably meant', () => {
    expect(missing('{{ payload.buyer.nme }} {{ payload.lnes }} {{ event.typ }}', order)).toEqual([
      'payload.buyer.nme (did you mean "name"?)',
      'payload.lnes (did you mean "lines"?)',
      'event.typ (did you mean "type"?)',
    ]);
  });

  it('is not what is there and empty', () => {
    expect(
      missing('{{ payload.buyer.phone }}{{ payload.text }}', { buyer: { phone: null }, text: '' }),
    ).toEqual([]);
  });

  it.each([
    '{{ payload.note | default: "none" }}',
    '{{ payload.note | strip | default: "none" }}',
    '{% if payload.note %}{{ payload.note }}{% endif %}',
    '{% if payload.note != blank and payload.x == 1 %}a{% elsif payload.y %}b{% else %}c{% endif %}',
    '{% unless payload.paid %}open{% endunless %}',
    '{% case payload.kind %}{% when "a" %}A{% else %}other{% endcase %}',
    '{% if payload.id == 8 %}{{ payload.of_eights }}{% endif %}',
    '{{ payload.lines | where: "sale", true | size }}',
    '{{ payload.lines | map: "title" | compact | join: ", " }}',
  ])('is not what a condition, a default or a list may lack: %s', (source) => {
    expect(missing(source, order)).toEqual([]);
  });

  it('is found in a branch that is taken, and in the elements of a list', () => {
    expect(missing('{% if payload.id == 7 %}{{ payload.of_sevens }}{% endif %}', order)).toEqual([
      'payload.of_sevens',
    ]);
    expect(missing('{% for line in payload.lines %}{{ line.title }}{% endfor %}', order)).toEqual([
      'line.title',
    ]);
  });

  it('is reported although the template fails', () => {
    expect(missing('{{ payload.gone }}{{ "x" | money: "EUR" }}', order)).toEqual(['payload.gone']);
  });

  it('is nothing for a text without Liquid', () => {
    expect(missing('Hello')).toEqual([]);
  });

  it('is looked for among few keys of a payload that has many', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key${index}`, 1]));
    expect(missing('{{ payload.key4999x }}', many)).toHaveLength(1);
  });
});

describe('the values of a condition', () => {
  it('are those of every variable in it, each once', () => {
    expect(values('payload.id > 5 and payload.id < 9 or event.type == "x"', order)).toEqual([
      ['payload.id', 7],
      ['event.type', 'paid'],
    ]);
  });

  it('are found in parentheses, filters and brackets', () => {
    expect(
      values('(payload.lines | where: "title", payload.buyer["name"] | size) > payload.id', order),
    ).toEqual([
      ['payload.lines', order.lines],
      ['payload.buyer["name"]', 'Ada'],
      ['payload.id', 7],
    ]);
  });

  it('say what is missing, and what was probably meant', () => {
    expect(values('payload.buyr.name == "Ada" and payload.paid', order)).toEqual([
      ['payload.buyr.name', 'none (did you mean "buyer"?)'],
      ['payload.paid', 'none'],
    ]);
  });

  it('are none where nothing is named', () => {
    expect(values('1 == 1')).toEqual([]);
  });
});
