import { expect, it } from 'vitest';
import { ROOTS } from '../../../src/template/basics/scope.ts';
import { compileText } from '../../../src/template/text.ts';
import { refusal } from '../helpers.ts';

const roots = 'the names are payload, event, headers, query, item, index';

it('names of the scope and of the template itself are known; of what is reported later, only where something is', () => {
  const scope = '{{ payload }}{{ event }}{{ headers }}{{ query }}{{ item }}{{ index }}';
  expect(refusal(`${scope}{% assign a = 1 %}{{ a }}`)).toBeUndefined();
  const template = '{% for one in new %}{{ one.item.a }}{% endfor %}{{ count }}{{ duration_ms }}';
  expect(compileText(template, ROOTS).ok).toBe(true);
  expect(refusal(template)).toContain('unknown name "new"');
});

it.each([
  ['{{ pyload.a }}', 'unknown name "pyload" (did you mean "payload"?)'],
  ['{% assign total = 1 %}{{ totl }}', 'unknown name "totl" (did you mean "total"?)'],
  ['{{ payload.a | default: name }}', `unknown name "name" (did you mean "payload.name"?); ${roots}`],
  ['{{ constructor }}', 'unknown name "constructor"'],
  ['{{ payload.a | mony: "EUR" }}', 'column 16: unknown filter "mony" (did you mean "money"?)'],
  ['{% cycle (payload.a | upcas) %}', 'unknown filter "upcas"'],
  ['{{ payload.a | money }}', 'the filter "money" takes 1 argument'],
  ['{{ payload.a | number: 1, 2 }}', 'the filter "number" takes 0 to 1 argument'],
  ['{{ payload.a | money: currency: "EUR" }}', 'the filter "money" takes 1 argument'],
  ['{{ payload.a | upcase: 1 }}', 'the filter "upcase" takes no argument'],
  ['{{ payload.a | join: ", ", 2 }}', 'the filter "join" takes 0 to 1 argument'],
  ['{{ payload.a | replace: }}', 'expected a value'],
  ['{{ payload.a | split }}', 'the filter "split" takes 1 argument'],
  ['{{ payload.a | replace_last: "a" }}', 'the filter "replace_last" takes 2 arguments'],
  ['{{ payload.a | default: "b", "c" }}', 'takes 0 to 1 argument, and `allow_false:`'],
  ['{{ payload.a | default: "b", allow_fals: true }}', 'takes 0 to 1 argument, and `allow_false:`'],
  ['{{ payload.a | date: "%H", "Berlin" }}', 'unknown time zone "Berlin"'],
  ['{{ payload.a | constructor }}', 'unknown filter'],
  ['{% if event %}{% else if query %}{% endif %}', 'unexpected `if`: write `elsif` for another branch'],
  ['{% if payload.a %}{% else payload.b %}{% endif %}', 'expected nothing after the tag'],
  ['{% unless payload.a junk %}{% endunless %}', 'unexpected `junk`'],
  ['{% case 1 %}{% when 1 2 %}{% endcase %}', 'unexpected `2`: expected `,`, `or` or the end'],
  ['{% case 1 %}{% when %}{% endcase %}', 'expected a value, found the end'],
  ['{% assign a = 1 2 %}', 'unexpected `2`'],
  ['{% assign a == 1 %}', 'unexpected `=`: expected `=`'],
  ['{% capture a b %}{% endcapture %}', 'unexpected `b`'],
  ['{% cycle "a" "b" %}', 'unexpected `"`: expected `,` or the end'],
  ['{% for x of payload.a %}{% endfor %}', 'expected `in`: `for name in list`'],
  ['{% for x in payload.a limit 1 %}{% endfor %}', 'expected `:` after limit'],
  ['{% for x in payload.a cols: 1 %}{% endfor %}', 'unexpected `cols`: expected limit, offset, reversed'],
  ['{% for x in payload.a | sort: "b" %}{% endfor %}', 'unexpected `|`: expected limit, offset, reversed or'],
  ['{% tablerow x in payload.a %}{% endtablerow %}', 'unknown tag {% tablerow %}'],
])('%s is refused', (source, reason) => {
  expect(refusal(source)).toContain(reason);
});
