import { expect, it } from 'vitest';
import { gapsIn, valuesIn, compileText, compileCondition } from '../../src/template/text.ts';
import type { Scope } from '../../src/template/basics/scope.ts';
import { GERMAN, scopeOf } from './helpers.ts';

/** The variables that a template reads in vain, each with its hint. */
function missing(source: string, payload: unknown = {}, more: Partial<Scope> = {}): readonly string[] {
  const compiled = compileText(source);
  if (!compiled.ok) throw new Error(compiled.error);
  const { missing } = gapsIn(compiled.value, scopeOf(payload, more), GERMAN);
  return missing.map(({ path, hint }) => path + hint);
}

/** The variables of a condition and what they stand for. */
function values(source: string, payload: unknown = {}): readonly unknown[] {
  const compiled = compileCondition(source);
  if (!compiled.ok) throw new Error(compiled.error);
  return valuesIn(compiled.value, scopeOf(payload), GERMAN).map(({ path, value, missing: none }) =>
    none === null ? `${path} ${JSON.stringify(value)}` : `${path} none${none.hint}`,
  );
}

const lines = [{ title: 'Tea' }, { name: 'Milk' }];
const order = { id: 7, buyer: { name: 'Ada', phone: null }, text: '', lines };

it.each([
  ['{{ payload.total }} and again {{ payload.total }}', ['payload.total']],
  ['{{ payload.buyer.street.number }}', ['payload.buyer.street.number']],
  ['{{ payload["First name"] }}', ['payload["First name"]']],
  ['{{ headers.x-shop }} {{ query.ref }}', ['headers.x-shop', 'query.ref']],
  ['{{ payload.id | money: payload.currency }}', ['payload.currency']],
])('what a template reads and the event does not have is named as it is written: %s', (source, names) => {
  expect(missing(source, order)).toEqual(names);
});

it('what a template reads and the event does not have comes with the key that was probably meant', () => {
  const hints = ['payload.buyer.nme (did you mean "name"?)', 'payload.lnes (did you mean "lines"?)'];
  const template = '{{ payload.buyer.nme }} {{ payload.lnes }} {{ event.typ }}';
  expect(missing(template, order)).toEqual([...hints, 'event.typ (did you mean "type"?)']);
});

it.each([
  '{{ payload.buyer.phone }}{{ payload.text }}',
  'Hello',
  '{{ payload.note | default: "none" }}',
  '{{ payload.note | strip | default: "none" }}',
  '{% if payload.note %}{{ payload.note }}{% endif %}',
  '{% if payload.note != blank and payload.x == 1 %}a{% elsif payload.y %}b{% else %}c{% endif %}',
  '{% unless payload.paid %}open{% endunless %}',
  '{% case payload.kind %}{% when "a" %}A{% else %}other{% endcase %}',
  '{% if payload.id == 8 %}{{ payload.of_eights }}{% endif %}',
  '{{ payload.lines | where: "sale", true | size }}',
  '{{ payload.lines | map: "title" | compact | join: ", " }}',
  '{% assign at = payload.gone | default: payload.none %}{% if at %}{{ at }}{% endif %}{% assign one = payload.none | default: payload.buyer %}{{ one.name }}',
  '{% assign note = payload.note %}{% capture line %}{{ payload.note }}{% endcapture %}{% if note %}{{ note }}{{ line }}{% endif %}',
])(
  'what a template reads and the event does not have is not what is empty, or what a condition, a default or a list may lack: %s',
  (source) => {
    expect(missing(source, order)).toEqual([]);
  },
);

it('what a template reads and the event does not have is found in a branch that is taken, in the elements of a list, and although the template fails', () => {
  for (const [source, found] of [
    ['{% if payload.id == 7 %}{{ payload.of_sevens }}{% endif %}', ['payload.of_sevens']],
    ['{% for line in payload.lines %}{{ line.title }}{% endfor %}', ['line.title']],
    ['{% assign a = payload.gone | upcase %}{{ a }}', ['payload.gone']],
    ['{% capture a %}{{ payload.gone }}{% endcapture %}{{ a }}', ['payload.gone']],
    ['{{ payload.gone }}{{ "x" | money: "EUR" }}', ['payload.gone']],
  ] as const)
    expect(missing(source, order)).toEqual(found);
});

it('the values of a condition are those of every variable in it, each once, or what is missing', () => {
  const two = [`payload.lines ${JSON.stringify(lines)}`, 'payload.buyer["name"] "Ada"'];
  for (const [source, named] of [
    ['payload.id > 5 and payload.id < 9 or event.type == "x"', ['payload.id 7', 'event.type "paid"']],
    ['(payload.lines | where: "title", payload.buyer["name"] | size) > 1', two],
    ['payload.buyr.name == "Ada"', ['payload.buyr.name none (did you mean "buyer"?)']],
    ['payload.paid', ['payload.paid none']],
    ['1 == 1', []],
  ] as const)
    expect(values(source, order)).toEqual(named);
});
