import { describe, expect, it } from 'vitest';
import { refusal } from '../helpers.ts';

describe('a template is refused for', () => {
  it.each([
    [
      'a tag that is never closed',
      'a{% if payload.a %}b',
      'column 2: {% if %} is never closed: expected {% endif %}',
    ],
    [
      'the end of another tag',
      '{% if payload.a %}{% endfor %}',
      'column 19: unexpected {% endfor %}: expected {% endif %}',
    ],
    ['an end too many', '{% endif %}', 'column 1: unexpected {% endif %}: no block is open'],
    [
      'blocks that cross',
      '{% if payload.a %}{% for x in payload.b %}{% endif %}{% endfor %}',
      'column 43: unexpected {% endif %}: expected {% endfor %}',
    ],
    ['a branch outside of a block', '{% else %}', 'column 1: unexpected {% else %} outside of a block'],
    [
      'a branch of another block',
      '{% for x in payload.b %}{% when 1 %}{% endfor %}',
      'column 25: unexpected {% when %} in {% for %}',
    ],
    [
      'a branch after else',
      '{% unless payload.a %}{% else %}{% elsif payload.b %}{% endunless %}',
      'column 33: unexpected {% elsif %} after {% else %}',
    ],
    [
      'a second else',
      '{% case payload.a %}{% when 1 %}{% else %}{% else %}{% endcase %}',
      'column 43: unexpected {% else %} after {% else %}',
    ],
    [
      'a break outside of a loop',
      '{% if payload.a %}{% break %}{% endif %}',
      'column 19: {% break %} is outside of a loop',
    ],
    ['an unknown tag', '{% fro x in payload.a %}', 'column 1: unknown tag {% fro %} (did you mean "for"?)'],
    ['a tag that reads files', '{% include "x" %}', 'column 1: unknown tag {% include %}'],
    ['an output that is not closed', 'a {{ payload.b', 'line 1, column 3: output "{{ payload.b" not closed'],
    ['a tag that is not closed', 'a {% if', 'line 1, column 3: tag "{% if" not closed'],
    ['raw that is not closed', '{% raw %}a', 'not closed'],
    ['a comment that is not closed', '{% comment %}a', 'column 1: {% comment %} is never closed'],
    ['an output that is empty', '{{ }}', 'column 4: expected a value, found the end'],
    ['a problem further down', 'a\nb {{ payload.a b }}', 'line 2, column 16: unexpected `b`'],
    ['a line of a liquid tag', '{% liquid\n assign a = 1\n echo a b\n%}', 'line 3, column 9: unexpected `b`'],
    [
      'a block open at the end of a liquid tag',
      '{% liquid\n if payload.a\n%}{% endif %}',
      'line 2, column 2: {% if %} is never closed',
    ],
    [
      'a liquid tag in a liquid tag',
      `{% liquid ${'liquid '.repeat(3000)}%}`,
      '{% liquid %} is not allowed in a {% liquid %} tag',
    ],
    ['blocks nested too deeply', '{% if payload.a %}'.repeat(1500), 'blocks nested more than 32 deep'],
  ])('%s', (_, source, reason) => {
    expect(refusal(source)).toContain(reason);
  });

  it.each(['render "x"', 'layout "x"', 'block "x"'])('tags that read files: %s', (tag) => {
    expect(refusal(`{% ${tag} %}`)).toContain('unknown tag');
  });
});

describe('a template stands with', () => {
  it.each([
    ['anything in comments', '{% comment %}{% if %}{{ a b }}{% endcomment %}{% # {{ x %}'],
    ['anything in raw', '{% raw %}{{ a b }}{% if %}{% endraw %}'],
    ['comments in a liquid tag', '{% liquid\n comment\n a b c\n endcomment\n # b c\n echo 1\n%}'],
    ['white space control', '{%- if payload.a -%}{{- payload.b -}}{%- endif -%}'],
  ])('%s', (_, source) => {
    expect(refusal(source)).toBeUndefined();
  });
});
