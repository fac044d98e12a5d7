import { expect, it } from 'vitest';
import { partialFiles } from '../../scripts/facts.ts';
import { built } from '../../src/config/compile/compile.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { partials, type Partials } from '../../src/template/partials.ts';
import { expectErrors, open, routeErrors, routeWith, setOf } from './support.ts';

const OWN: Partials = {
  list: {
    params: { title: "'none'", is_new: 'false' },
    text: '{% for x in firing %}[[each]]{{ [[title]] | upcase }}{% if [[is_new]] %}!{% endif %}{% endfor %}',
    words: { en: { each: 'Is: ', never: 'x' }, de: { each: 'Ist: ' } },
    element: 'x',
    grouped: true,
  },
  long: { params: {}, text: 'x'.repeat(9_000), words: {} },
  each: {
    params: { say: '' },
    text: '{% for a in item.x %}{{ [[say]] }}{% endfor %}',
    words: {},
    element: 'a',
  },
  plain: { params: { what: "'it'" }, text: '{{ [[what]] }}', words: { en: {} } },
};

/** With these partials in place of those that are shipped. */
function withOwn<Done>(work: () => Done, own: Partials = OWN): Done {
  const shipped = partials.known;
  partials.known = own;
  try {
    return work();
  } finally {
    partials.known = shipped;
  }
}

const GROUPED = { incident: { key: '{{ item.id }}' }, group: { wait: '10s' } };
const saying = (message: string, more: object = GROUPED): object => ({
  ...more,
  send: { kind: 'text', message },
});
const shop = (change: object, source: object = {}): Partial<ConfigSet> => ({
  sources: { shop: open({ ...source, routes: [routeWith(change)] }) },
});

/** The texts of a set with its partials. */
const textsOf = (parts: Partial<ConfigSet>): readonly unknown[] =>
  withOwn(() =>
    [...JSON.stringify(built(setOf(parts)).set).matchAll(/"(?:message|caption)":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text = '']): unknown => JSON.parse(text),
    ),
  );

const PUT: readonly (readonly [text: string, put: string])[] = [
  ['a {% render "plain" %} b', "a {{ 'it' }} b"],
  ['a\n{%- render "plain" -%}\n b {% render "plain", what: "payload.x" %}', "a{{ 'it' }}b {{ payload.x }}"],
  ["{% assign o = 1 %}{% render 'plain', what: 'o | plus: 1' %}", '{% assign o = 1 %}{{ (o | plus: 1) }}'],
  ['{% render "each", say: "a.b.item" %}', '{% for a in item.x %}{{ a.b.item }}{% endfor %}'],
  ['{% render "plain" what: "\\"[[what]] \\\\ {{\\"" %}', '{{ ("[[what]] \\ {{") }}'],
  ['{% raw %}{% render "plain" %}{% endraw %} render', '{% raw %}{% render "plain" %}{% endraw %} render'],
  [
    "{% render 'list', title: 'item.item | default: event.type', is_new: 'not item.old' %}",
    '{% for x in firing %}Is: {{ (x.item.item | default: x.event.type) | upcase }}{% if not x.item.old %}!{% endif %}{% endfor %}',
  ],
];

it('a text names a partial, which is put in with what its parameters say; `item` is then an element of its list', () => {
  expect(PUT.map(([text]) => [text, textsOf(shop(saying(text)))[0]])).toEqual(PUT.map((row) => [...row]));
  const set = setOf(shop(saying('nothing to render', {})));
  expect(built(set).set).toBe(set);
});

const [LIST, EN, DE] = ["{% render 'list' %}", 'Is', 'Ist'];

const languagesOf = (parts: Partial<ConfigSet>): readonly string[] =>
  textsOf(parts).flatMap((text) => /(\w+): /.exec(String(text))?.[1] ?? []);

it('its words are in the language of `lang`, of the template, of the source, or English', () => {
  const named = (template: unknown, locale = 'de') => ({
    ...shop({ ...GROUPED, send: undefined, template }, { locale }),
    templates: { a: { kind: 'text', message: LIST }, b: { kind: 'text', message: LIST } },
  });
  const rows: readonly (readonly [Partial<ConfigSet>, readonly string[]])[] = [
    [shop(saying(LIST), { locale: 'de-AT' }), [DE]],
    [shop(saying("{% render 'list', lang: 'de' %}"), { locale: 'en' }), [DE]],
    [shop(saying("{% render 'list', lang: 'en' %}"), { locale: 'de' }), [EN]],
    [shop(saying(LIST), { locale: 'fr' }), [EN]],
    [shop(saying(LIST), { locale: '{{ payload.locale }}' }), [EN]],
    [shop({ ...GROUPED, digest: { kind: 'text', message: LIST } }, { locale: 'de' }), [DE]],
    [named('a'), [DE, EN]],
    [named({ default: 'a', de: 'b' }, 'en'), [EN, DE]],
  ];
  expect(rows.map(([parts]) => languagesOf(parts))).toEqual(rows.map(([, languages]) => languages));
  const both = {
    ...named('a'),
    sources: { a: named('a').sources?.['shop'], b: named('a', 'en').sources?.['shop'] },
  };
  expect(withOwn(() => built(setOf(both)).warnings.map(({ path }) => path))).toEqual(['templates.a']);
});

const AT = 'sources.shop.routes[0].send';

it('a wrong partial is refused with its place, the reason and what to write', () => {
  withOwn(() =>
    expectErrors(`${AT}.message: `, (text: string) => routeErrors(saying(text)), [
      ['ab {% render "lisd" %}', 'column 4: there is no partial "lisd" (did you mean "list"?)'],
      ['{% render list %}', 'column 1: expected the name of a partial in quotes'],
      [
        '{% render "list", titel: "item.a" %}',
        'column 19: the partial "list" has no parameter "titel" (did you mean "title"?)',
      ],
      [
        '{% render "list", title: item.a %}',
        'column 19: "title" must be an expression in quotes: title: "item.name"',
      ],
      [
        '{% render "list", title: "item.a |" %}',
        'column 19: "title" is no expression: column 9: expected a filter',
      ],
      [
        '{% render "list", title: "Alarm" %}',
        'column 19: "title" is no expression: column 1: unknown name "Alarm"',
      ],
      [
        '{% render "list", title: "item.a | upper" %}',
        'column 19: "title" is no expression: column 10: unknown filter "upper"',
      ],
      ['{% render "list", lang: "xx" %}', 'column 19: the languages of the partial "list" are en, de'],
      ['{% render "list" ! %}', 'column 18: unexpected `!`'],
      ['{% render "list" %}\n{{ payload.a | nope }}', 'line 2, column 16: unknown filter "nope"'],
      [
        '{% render "long" %}'.repeat(2),
        'has 18000 characters with its partials, and may have 16384: use fewer',
      ],
    ]),
  );
});

it('a partial is refused where it cannot be: in a condition, a key, an address, or a message that is no group', () => {
  const partial = '{% render "list" %}';
  withOwn(() =>
    expectErrors('sources.shop.routes[0]', (change: object) => routeErrors(change), [
      [saying(partial, {}), '.send.message: column 1: the partial "list" is about a group: add `group'],
      [{ once: partial }, '.once: column 1: a partial goes into the text of a message'],
      [
        { send: { kind: 'image', image_url: 'https://a.example/{% render "plain" %}' } },
        '.send.image_url: column 19: a partial goes into the text of a message',
      ],
    ]),
  );
});

it('each partial that is shipped says what each of its parameters is, and has a word for each name in its text', () => {
  for (const [name, { about, params, text, words }] of Object.entries(partialFiles())) {
    const { en = {}, ...others } = words;
    const names = [text, ...Object.values(en)].flatMap((one) =>
      [...one.matchAll(/\[\[([\w-]+)\]\]/g)].map(([, part]) => part),
    );
    expect(new Set(names), name).toEqual(new Set([...Object.keys(params), ...Object.keys(en)]));
    const keys = Object.values(others).map((one) => Object.keys(one));
    expect(keys, name).toEqual([Object.keys(en)]);
    expect(
      [about, ...Object.values(params).map((one) => one.about)].every((one) => one.endsWith('.')),
      name,
    ).toBe(true);
    expect(routeErrors(saying(`{% render '${name}' %}`))).toEqual([]);
  }
});
