import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { diffLines } from '../../../cli/diff/lines.ts';
import { rewriteJson, rewriteYaml, writeYaml } from '../../../shared/yaml-patch/rewrite.ts';
import { documents, files } from './support.ts';

const SOURCE = `# The shop.   Ask Zoë before you change it.
provider: stripe
secrets: [STRIPE_SECRET]   # rotated in May


routes:
- name: paid     # to the owners
  when: type == "payment"
  to:   [ owners,  "4915112345678" ]
  send:
    kind: text
    message: |
      Paid: {{ payload.amount }}

      Thank you
# the rest
- name: other
  to: owners
  send: {kind: text, message: "Hi {{ payload.name }}"}
locale: 'de'
`;

/** The document of it. */
const SHOP = {
  provider: 'stripe',
  secrets: ['STRIPE_SECRET'],
  routes: [
    {
      name: 'paid',
      when: 'type == "payment"',
      to: ['owners', '4915112345678'],
      send: { kind: 'text', message: 'Paid: {{ payload.amount }}\n\nThank you\n' },
    },
    { name: 'other', to: 'owners', send: { kind: 'text', message: 'Hi {{ payload.name }}' } },
  ],
  locale: 'de',
};
const [PAID, OTHER] = SHOP.routes;

/** The lines that another document takes away from the source and adds to it. */
function changed(document: object): readonly string[] {
  const text = rewriteYaml(SOURCE, document);
  expect(parse(text)).toEqual(document);
  return diffLines(SOURCE, text).flatMap(({ kind, text: line }) =>
    kind === 'same' ? [] : [`${kind === 'old' ? '-' : '+'}${line}`],
  );
}
/** The same for another first route. */
const changedRoute = (route: object) => changed({ ...SHOP, routes: [{ ...PAID, ...route }, OTHER] });

describe('a YAML file with a new value', () => {
  it('has other lines only where a value is another: a key, a line of a template, a template as a block', () => {
    expect(changed(SHOP)).toEqual([]);
    expect(changedRoute({ name: 'settled' })).toEqual([
      '-- name: paid     # to the owners',
      '+- name: settled # to the owners',
    ]);
    expect(changed({ ...SHOP, locale: 'en' })).toEqual(["-locale: 'de'", "+locale: 'en'"]);
    const message = 'Paid: {{ payload.amount }}\n\nThanks\n';
    expect(changedRoute({ send: { kind: 'text', message } })).toEqual(['-      Thank you', '+      Thanks']);
    expect(changedRoute({ when: 'type == "a"\nor type == "b"' })).toEqual([
      '-  when: type == "payment"',
      '+  when: |-',
      '+    type == "a"',
      '+    or type == "b"',
    ]);
  });

  it('gets and loses keys and entries where they belong', () => {
    const { locale: _, ...without } = SHOP;
    expect(changed({ ...SHOP, timezone: 'Europe/Berlin' })).toEqual(['+timezone: Europe/Berlin']);
    expect(changed(without)).toEqual(["-locale: 'de'"]);
    const { when: _when, ...always } = PAID ?? {};
    expect(changed({ ...SHOP, routes: [always, OTHER] })).toEqual(['-  when: type == "payment"']);
    expect(changed({ ...SHOP, routes: [OTHER] })).toEqual([
      '-- name: paid     # to the owners',
      '-  when: type == "payment"',
      '-  to:   [ owners,  "4915112345678" ]',
      '-  send:',
      '-    kind: text',
      '-    message: |',
      '-      Paid: {{ payload.amount }}',
      '-',
      '-      Thank you',
    ]);
    const added = { name: 'new', to: 'x', send: { kind: 'text', message: 'm' } };
    const lines = ['+- name: new', '+  to: x', '+  send:', '+    kind: text', '+    message: m'];
    expect(changed({ ...SHOP, routes: [added, PAID, OTHER] })).toEqual(lines);
  });

  it('keeps the ends of lines', () => {
    const crlf = SOURCE.replaceAll('\n', '\r\n');
    expect(rewriteYaml(crlf, { ...SHOP, locale: 'en' })).toBe(crlf.replace("'de'", "'en'"));
    expect(rewriteYaml('a: 1 # x\nb: 2', { a: 3, b: 2 })).toBe('a: 3 # x\nb: 2');
  });

  it('with aliases keeps those that still hold, and says the value where they do not', () => {
    const text = 'a: &x { one: 1 }\nb: *x # same\nc: 2\n';
    expect(rewriteYaml(text, { a: { one: 1 }, b: { one: 1 }, c: 3 })).toBe(text.replace('c: 2', 'c: 3'));
    expect(parse(rewriteYaml(text, { a: { one: 2 }, b: { one: 1 }, c: 2 }))).toEqual({
      a: { one: 2 },
      b: { one: 1 },
      c: 2,
    });
    expect(parse(rewriteYaml(text, { b: { one: 1 } }))).toEqual({ b: { one: 1 } });
  });

  it('says the new value, whatever it was and however it was written', () => {
    fc.assert(
      fc.property(files, documents, (text, after) => {
        expect(parse(rewriteYaml(text, after))).toEqual(after);
        expect(rewriteYaml(text, parse(text))).toBe(text);
      }),
    );
  });

  it('keeps the comments of all that stays', () => {
    fc.assert(
      fc.property(documents, documents, (before, added) => {
        const text = Object.entries(before)
          .map(([key, one]) => `# about ${key}\n${writeYaml({ [key]: one })}`)
          .join('');
        const fresh = Object.fromEntries(Object.entries(added).map(([key, one]) => [`new-${key}`, one]));
        const kept = rewriteYaml(text, { ...before, ...fresh });
        for (const key of Object.keys(before)) expect(kept.split('\n')).toContain(`# about ${key}`);
      }),
    );
  });

  it('is written anew when it cannot be edited', () => {
    expect(rewriteYaml('- a\n', { a: 1 })).toBe('a: 1\n');
    expect(rewriteYaml('{', { a: 1 })).toBe('a: 1\n');
  });
});

describe('a JSON file with a new value', () => {
  it('keeps its indentation, and lines that are laid out in another way', () => {
    const text = '{\n    "numbers": ["1", "2"],\n    "rest": true,\n    "quiet": { "from": "22:00" }\n}\n';
    expect(rewriteJson(text, { numbers: ['1', '2'], rest: true, quiet: { from: '23:00' } })).toBe(
      '{\n    "numbers": ["1", "2"],\n    "rest": true,\n    "quiet": {\n        "from": "23:00"\n    }\n}\n',
    );
    expect(rewriteJson('{"a":1}', { a: 2 })).toBe('{"a":2}');
  });

  it('says the new value', () => {
    fc.assert(
      fc.property(documents, documents, fc.constantFrom(0, 2, 4, '\t'), (before, after, indent) => {
        expect(JSON.parse(rewriteJson(JSON.stringify(before, null, indent), after))).toEqual(after);
      }),
    );
  });
});
