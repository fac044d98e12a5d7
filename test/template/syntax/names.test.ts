import { describe, expect, it } from 'vitest';
import { checkNames } from '../../../src/template/syntax/names.ts';
import { ROOTS } from '../../../src/template/basics/scope.ts';
import { compileText } from '../../../src/template/text.ts';
import { refusal } from '../helpers.ts';

describe('names', () => {
  it('of the scope and of the template itself are known', () => {
    expect(
      refusal(
        '{{ payload }}{{ event }}{{ headers }}{{ query }}{{ item }}{{ index }}{% assign a = 1 %}{{ a }}',
      ),
    ).toBeUndefined();
  });

  it('of what is reported when it is due are known only where something is', () => {
    const template = '{% for one in new %}{{ one.item.a }}{% endfor %}{{ count }}{{ duration_ms }}';
    expect(compileText(template, ROOTS).ok).toBe(true);
    expect(refusal(template)).toContain('unknown name "new"');
  });

  it.each([
    ['{{ pyload.a }}', 'unknown name "pyload" (did you mean "payload"?)'],
    ['{% if evnt.type == 1 %}{% endif %}', 'unknown name "evnt" (did you mean "event"?)'],
    ['{% assign total = 1 %}{{ totl }}', 'unknown name "totl" (did you mean "total"?)'],
    [
      '{{ payload.a | default: name }}',
      'unknown name "name" (did you mean "payload.name"?); the names are payload, event, headers, query, item, index',
    ],
    ['{{ payload[key] }}', 'unknown name "key"'],
    ['{{ forloop.index }}', 'unknown name "forloop"'],
    ['{% for x in data %}{% endfor %}', 'unknown name "data"'],
    ['{{ constructor }}', 'unknown name "constructor"'],
    ['{{ __proto__ }}', 'unknown name "__proto__"'],
  ])('%s is refused', (source, reason) => {
    expect(refusal(source)).toContain(reason);
  });
});

describe('filters', () => {
  it.each([
    ['{{ payload.a | mony: "EUR" }}', 'column 16: unknown filter "mony" (did you mean "money"?)'],
    ['{{ payload.a | upcase | nonsense_filter }}', 'unknown filter "nonsense_filter"'],
    ['{{ (payload.a | upcas) }}', 'unknown filter "upcas" (did you mean "upcase"?)'],
    ['{% cycle (payload.a | upcas) %}', 'unknown filter "upcas"'],
    ['{{ payload.a | money }}', 'the filter "money" takes 1 argument'],
    ['{{ payload.a | bold: 1 }}', 'the filter "bold" takes no argument'],
    ['{{ payload.a | number: 1, 2 }}', 'the filter "number" takes 0 to 1 argument'],
    ['{{ payload.a | money: currency: "EUR" }}', 'the filter "money" takes 1 argument'],
  ])('%s is refused', (source, reason) => {
    expect(refusal(source)).toContain(reason);
  });

  it.each(['where_exp', 'sample', 'sha256', 'hmac_sha256', 'constructor'])('%s is none', (name) => {
    expect(refusal(`{{ payload.a | ${name} }}`)).toContain('unknown filter');
  });

  it('with any number of arguments pass where the number is not ours to say', () => {
    const uses = { roots: [], filters: [{ name: 'f', at: 0, args: ['1', '2', '3'], named: true }] };
    expect(checkNames(uses, new Set(), new Map([['f', null]]))).toBeUndefined();
  });
});
