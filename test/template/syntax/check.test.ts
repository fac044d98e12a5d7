import { expect, it } from 'vitest';
import { refusal } from '../helpers.ts';

it.each([
  ['a{% if payload.a %}b', 'column 2: {% if %} is never closed: expected {% endif %}'],
  ['{% if payload.a %}{% endfor %}', 'column 19: unexpected {% endfor %}: expected {% endif %}'],
  [
    '{% if event %}{% for x in payload.b %}{% endif %}{% endfor %}',
    'unexpected {% endif %}: expected {% endfor %}',
  ],
  ['{% for x in payload.b %}{% when 1 %}{% endfor %}', 'column 25: unexpected {% when %} in {% for %}'],
  ['{% unless event %}{% else %}{% elsif event %}{% endunless %}', 'unexpected {% elsif %} after {% else %}'],
  ['{% if payload.a %}{% break %}{% endif %}', 'column 19: {% break %} is outside of a loop'],
  ['{% fro x in payload.a %}', 'column 1: unknown tag {% fro %} (did you mean "for"?)'],
  // These would read files.
  ['{% include "x" %}', 'column 1: unknown tag {% include %}'],
  ['{% render "x" %}', 'a partial goes into the text of a message'],
  ['a {{ payload.b', 'column 3: output "{{ payload.b" not closed'],
  ['a {% if', 'column 3: tag "{% if" not closed'],
  ['{% comment %}a', 'column 1: {% comment %} is never closed'],
  ['{% comment %}{% comment %}{% endcomment %}', 'column 1: {% comment %} is never closed'],
  ['{% raw %}a', 'column 1: {% raw %} is never closed: expected {% endraw %}'],
  ['{% # one\n two %}', "column 1: every line of an inline comment must start with a '#' character"],
  ['a\nb {{ payload.a b }}', 'line 2, column 16: unexpected `b`'],
  ['{% liquid\n assign a = 1\n echo a b\n%}', 'line 3, column 9: unexpected `b`'],
  ['{% liquid\n if payload.a\n%}{% endif %}', 'line 2, column 2: {% if %} is never closed'],
  [`{% liquid ${'liquid '.repeat(3000)}%}`, '{% liquid %} is not allowed in a {% liquid %} tag'],
  ['{% if payload.a %}'.repeat(1500), 'blocks nested more than 32 deep'],
])('a template is refused, and the place is said (%#)', (source, reason) => {
  expect(refusal(source)).toContain(reason);
});
