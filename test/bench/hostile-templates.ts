const MIB = 1_048_576;
/** Leaves space in a body of 1 MiB for the second value. */
const LARGE = MIB / 2 - 64;

const fill = (part: string, length = LARGE): string => part.repeat(Math.ceil(length / part.length));
const list = <Element>(count: number, element: (at: number) => Element): readonly Element[] =>
  Array.from({ length: count }, (_, at) => element(at));

/** Values of a payload that take long to work on, by name. */
export const VALUES: Readonly<Record<string, unknown>> = {
  'a short text': '12345678',
  'a number': 1767601800,
  'an ISO time': '2026-01-05T08:30:00Z',
  'a phone number': '+4915112345678',
  'half a MiB of `a`': fill('a'),
  '64 KiB of `a`': fill('a', 65_536),
  '2 KiB of `a`': fill('a', 2_048),
  spaces: fill(' '),
  'line breaks': fill('\n'),
  'tags that are never closed': fill('<script '),
  'formatting characters': fill('*a_ '),
  ampersands: fill('&#38;'),
  links: fill('https://a.b '),
  dots: fill('a.'),
  'wiki markup': fill('{color}[~a]!a.bc!'),
  'emoji of many parts': fill('👨‍👩‍👧', LARGE / 3),
  'letters beyond ASCII': fill('ß', LARGE / 2),
  'percent signs': fill('%41'),
  numbers: list(LARGE / 2, (at) => at % 10),
  'empty lists': list(LARGE / 3, () => []),
  'empty objects': list(LARGE / 3, () => ({})),
  'short texts': list(LARGE / 4, (at) => String.fromCharCode(97 + (at % 26))),
  'long texts that end differently': list(250, (at) => `${fill('a', 2_000)}${at}`),
  'objects of one key': list(LARGE / 8, (at) => ({ a: at % 10 })),
  'objects of a long text': list(250, (at) => ({ a: `${fill('a', 2_000)}${at}` })),
  'an object of many keys': Object.fromEntries(list(LARGE / 10, (at) => [`k${at}`, 1])),
  'a list in a list': [list(LARGE / 2, (at) => at % 10)],
  'lists in lists, 400 deep': list(400, () => 0).reduce<unknown>(
    (inner) => [inner],
    list(LARGE / 2, (at) => at % 10),
  ),
};

/** Those that are tried with each second value. */
export const PAIRED: readonly string[] = [
  'half a MiB of `a`',
  '2 KiB of `a`',
  'short texts',
  'objects of one key',
  'objects of a long text',
];

/** The second value: a filter's argument, or the other side of a comparison. */
export const ARGUMENTS: Readonly<Record<string, unknown>> = {
  'and `a`': 'a',
  'and nothing': '',
  'and `b`, then 249 of `a`': `b${fill('a', 249)}`,
  'and `b`, then 15 of `a`': `b${fill('a', 15)}`,
  'and `b` between 1,000 of `a`': `${fill('a', 500)}b${fill('a', 500)}`,
  'and as many of `a`': fill('a'),
  'and a path of 120 names': fill('a.', 240),
  'and a list of numbers': list(LARGE / 2, (at) => at % 10),
  'and an object': Object.fromEntries(list(LARGE / 10, (at) => [`k${at}`, 1])),
  'and 100': 100,
  'and a zone': 'Asia/Tokyo',
  'and date formats': fill('%c%B%A', 60),
};

/** Arguments in a template, and the filters that get them. `payload.b` is each of the above. */
const ARGUMENTS_OF: readonly (readonly [filters: string, args: readonly string[]])[] = [
  ['append prepend remove remove_first remove_last default join', ['payload.b']],
  ['split', ['""', '" "', 'payload.b']],
  ['compact uniq', ['"a"', 'payload.b']],
  ['array_to_sentence_string push unshift map plus times round at_least', ['payload.b']],
  ['replace', ['"a", payload.b', '"", payload.b', 'payload.b, ""']],
  ['replace_first replace_last', ['"a", payload.b', 'payload.b, ""']],
  ['slice', ['0, 99999', '-99999, 99999', 'payload.b, 5']],
  ['truncate truncatewords', ['99999', '5, payload.b']],
  ['truncate_chars', ['99999', '200']],
  ['concat', ['payload.b', 'payload.a']],
  ['where', ['"a"', '"a", payload.b', 'payload.b']],
  ['reject', ['"a"', '"a", payload.b', 'payload.b', '"a", empty']],
  ['has find find_index', ['"b"', '"a", payload.b']],
  ['group_by', ['"a"']],
  ['sort sort_natural sum pluck flatten', ['"a"', 'payload.b']],
  ['date', ['"%d.%m.%Y %H:%M"', '"%A %B"', '"%^A"', '"%Z"', '"%Y", payload.b', 'payload.b']],
  ['datetime', ['"full"', '"full", payload.b']],
  ['phone', ['"DE"', 'payload.b']],
  ['money money_major', ['"EUR"']],
  ['number json', ['2']],
  ['jsonify inspect', ['10']],
];
export const FILTER_ARGUMENTS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ARGUMENTS_OF.flatMap(([filters, args]) => filters.split(' ').map((name) => [name, args] as const)),
);

/** Everything in Liquid but filters. */
export const CONSTRUCTS: Readonly<Record<string, string>> = {
  nothing: '',
  'a text': 'aaaa',
  'an output': '{{ payload.a }}',
  'a path': '{% assign x = payload.a[0][0].a.b.c.d.e.f.g.h %}',
  'a long path that leads to nothing': `{% if payload.x${'.a'.repeat(29)} %}{% endif %}`,
  'a key that is a value': '{% assign x = payload.a[payload.b] %}',
  'a key of a list': '{% assign x = payload[payload.a] %}',
  'a count of keys': '{% if payload.a.size > 1 %}{% endif %}',
  'first and last': '{% if payload.a.first.first == payload.a.last.last %}{% endif %}',
  'an equality': '{% if payload.a == payload.b %}{% endif %}',
  'an equality with itself': '{% if payload.a == payload.a %}{% endif %}',
  'many equalities': `{% if payload.a == 1${' or payload.a == 1'.repeat(20)} %}{% endif %}`,
  empty: '{% if payload.a == empty %}{% endif %}',
  blank: '{% if payload.a == blank %}{% endif %}',
  'nothing there': '{% if payload.a == nil %}{% endif %}',
  'an order': '{% if payload.a < payload.b %}{% endif %}',
  'an order with itself': '{% if payload.a <= payload.a %}{% endif %}',
  contains: '{% if payload.a contains payload.b %}{% endif %}',
  'contains itself': '{% if payload.a contains payload.a %}{% endif %}',
  'a case': '{% case payload.a %}{% when payload.b %}{% endcase %}',
  'a case of itself': '{% case payload.a %}{% when payload.a, payload.a, payload.a %}{% endcase %}',
  'a case of many': `{% case payload.a %}{% when "b"${', payload.a'.repeat(90)} %}{% endcase %}`,
  'a loop': '{% for j in payload.a %}{% endfor %}',
  'a loop of outputs': '{% for j in payload.a %}{{ j.a }}{{ j.b }}{% endfor %}',
  'a loop that is left': '{% for j in payload.a %}{% break %}{% endfor %}',
  'a loop over a slice': '{% for j in payload.a reversed limit: 1 offset: 5 %}{% endfor %}',
  'a limit that is a value': '{% for j in (1..3) limit: payload.a %}{% endfor %}',
  'a range': '{% for j in (1..99999) %}{% break %}{% endfor %}',
  'a range to a value': '{% for j in (1..payload.a) limit: 1 %}{% endfor %}',
  'a capture': '{% capture x %}{{ payload.a }}{% endcapture %}',
  'a text that doubles': '{% assign s = s | default: payload.a %}{% assign s = s | append: s %}',
  'a list that doubles': '{% assign l = l | default: payload.a %}{% assign l = l | concat: l %}',
  'a count': '{% increment n %}',
  'an alternation': '{% cycle "a", payload.a %}',
  'an alternation by name': '{% cycle payload.a: "a", "b" %}',
  'many filters': `{% assign x = payload.a${' | first'.repeat(40)} %}`,
  'much arithmetic': `{% assign x = payload.a${' | plus: 1'.repeat(40)} %}`,
  'groups in groups': `{% assign x = ${'('.repeat(15)}payload.a${' | size)'.repeat(15)} %}`,
};

const toTheEnd = (part: string): string => part.repeat(Math.floor(32_000 / part.length));

/** Templates of the maximum length. */
export const SOURCES: Readonly<Record<string, string>> = {
  braces: toTheEnd('{{'),
  outputs: toTheEnd('{{ payload.a }}'),
  filters: `{{ payload.a ${toTheEnd('| plus: 1')} }}`,
  conditions: `{% if ${toTheEnd('a or ')}a %}{% endif %}`,
  blocks: toTheEnd('{% if payload.a %}{% endif %}'),
  'blocks that are not closed': toTheEnd('{% if payload.a %}'),
  brackets: `{{ payload${toTheEnd('[0]')} }}`,
  parentheses: `{{ ${toTheEnd('(')} }}`,
  spaces: `{{${toTheEnd(' ')}}}`,
  texts: `{{ payload.a ${toTheEnd('| append: "a" ')} }}`,
  'a text that is not closed': `{{ "${toTheEnd('a')} }}`,
  'lines of a tag': `{% liquid\n${toTheEnd('echo payload.a\n')}%}`,
  'unknown names': toTheEnd('{{ a }}'),
  branches: `{% case payload.a %}${toTheEnd('{% when "a" %}')}{% endcase %}`,
};
