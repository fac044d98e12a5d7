import { describe, expect, it } from 'vitest';
import { refusal } from '../helpers.ts';

const condition = 'expected `and`, `or`, a comparison, a filter or the end';

describe('arguments of tags', () => {
  it.each([
    ['{% if payload.a == 1 an payload.b %}{% endif %}', `unexpected \`an\`: ${condition}`],
    [
      '{% if payload.a %}{% elsif payload.b payload.c %}{% endif %}',
      `unexpected \`payload.c\`: ${condition}`,
    ],
    [
      '{% if payload.a %}{% else if payload.b %}{% endif %}',
      'unexpected `if`: write `elsif` for another branch',
    ],
    ['{% if payload.a %}{% else payload.b %}{% endif %}', 'expected nothing after the tag'],
    ['{% if payload.a %}{% endif payload.a %}', 'expected nothing after the tag'],
    ['{% unless payload.a junk %}{% endunless %}', 'unexpected `junk`'],
    ['{% case payload.a junk %}{% endcase %}', 'unexpected `junk`'],
    ['{% case 1 %}{% when 1 2 %}{% endcase %}', 'unexpected `2`: expected `,`, `or` or the end'],
    ['{% case 1 %}{% when %}{% endcase %}', 'expected a value, found the end'],
    ['{% assign a = 1 2 %}', 'unexpected `2`'],
    ['{% assign a == 1 %}', 'unexpected `=`: expected `=`'],
    ['{% assign = 1 %}', 'expected a name, found `=`'],
    ['{% capture a b %}{% endcapture %}', 'unexpected `b`'],
    ['{% capture %}{% endcapture %}', 'expected a name'],
    ['{% echo payload.a junk %}', 'unexpected `junk`'],
    ['{% increment a b %}', 'unexpected `b`'],
    ['{% cycle "a" "b" %}', 'unexpected `"`: expected `,` or the end'],
    ['{% for x of payload.a %}{% endfor %}', 'expected `in`: `for name in list`'],
    ['{% for x in payload.a limit 1 %}{% endfor %}', 'expected `:` after limit'],
    ['{% for x in payload.a cols: 1 %}{% endfor %}', 'unexpected `cols`: expected limit, offset, reversed'],
    [
      '{% for x in payload.a | sort: "b" %}{% endfor %}',
      'unexpected `|`: expected limit, offset, reversed or the end',
    ],
    ['{% tablerow x in payload.a %}{% endtablerow %}', 'unknown tag {% tablerow %}'],
  ])('%s is refused', (source, reason) => {
    expect(refusal(source)).toContain(reason);
  });

  it.each([
    '{% case payload.a %}{% when 1, 2 or "x" %}{% endcase %}',
    '{% assign a = payload.b | plus: 1 %}{{ a }}',
    '{% capture "a b" %}{% endcapture %}',
    '{% capture a %}{% endcapture %}{{ a }}',
    '{% for x in payload.a limit: 2, offset: continue reversed %}{{ x }}{{ forloop.index }}{% endfor %}',
    '{% for x in (1..payload.n) %}{% endfor %}',
    '{% for x in (payload.a | sort: "b") %}{{ x }}{% endfor %}',
    '{% cycle "g": "a", payload.b %}',
    '{% increment n %}{{ n }}',
  ])('%s stands', (source) => {
    expect(refusal(source)).toBeUndefined();
  });
});
