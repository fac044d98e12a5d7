import fc from 'fast-check';
import { expect, it } from 'vitest';
import { providers } from '../../platform/providers.ts';
import { separatorsOf, signedBytes } from '../../../src/signature/signed/signed-bytes.ts';
import { parseSigned, type SignedPiece } from '../../../src/signature/signed/signed-options.ts';
import { requestOf } from '../support.ts';

function partsOf(template: string): readonly SignedPiece[] {
  const parts = parseSigned(template);
  if (!parts.ok) throw new Error(parts.error);
  return parts.value;
}

/** The texts that each value of a template must not hold, in the order of the values. */
const listed = (template: string) => [...separatorsOf(partsOf(template)).values()];

it.each([
  ['the one that follows it', '{header:a}.{header:b}:{raw_body}', [['.'], [':']]],
  ['none where nothing stands between', '{body:a}{body:b}', [[], []]],
  ['none at the end', '{header:a}', [[]]],
  ['behind the body the one before it', '{raw_body}.{header:a}:{header:b}', [['.'], [':']]],
  ['all that may be next', '{body:a}[;b{body:b}][;c{body:c}]|{ts}', [[';b', ';c', '|'], [';c', '|'], ['|']]],
  ['the end of its own segment alone', '[id:{query:a};][r:{header:b};]ts:{ts};', [[';'], [';']]],
  // On the sides of the free one it is what is turned to it.
  ['none of the free one', '{item:a}:{free item:b}:{item:c}:{item:d}', [[':'], [':'], [':']]],
  ['none of times, address and method, which are not free', '{method} {url} {ts} {raw_body}', []],
])('the texts that a value must not hold are %s', (_, template, separators) => {
  expect(listed(template)).toEqual(separators);
});

/** Returns the text that is signed of a request with these headers. Null if it is refused. */
function signedOf(template: string, headers: Readonly<Record<string, string>>, body: string): string | null {
  const input = {
    request: requestOf({ headers, body }),
    parsed: null,
    timestamp: null,
    url: '',
  };
  const content = signedBytes(partsOf(template), input);
  return content.ok ? new TextDecoder().decode(content.value(new Uint8Array())) : null;
}

const TEMPLATES = [
  '[id:{header:a};][rid:{header:b};]c:{header:c};',
  '{header:a}.{header:b}.{raw_body}',
  '{header:a}:{free header:b}:{header:c}',
  '{raw_body}.{header:a}.{header:b}',
];
const text = fc.stringMatching(/^[a;.:|rid0]{0,6}$/);
const values = fc.record({ a: text, b: text, c: text, body: text });
type Values = typeof values extends fc.Arbitrary<infer V> ? V : never;

const read = (template: string, { body, ...headers }: Values) => signedOf(template, headers, body);
/** The values that a template has, and that are not empty. */
const used = (template: string, given: Values) =>
  Object.entries(given).filter(
    ([name, value]) => value !== '' && template.includes(name === 'body' ? 'raw_body' : `header:${name}}`),
  );

it.each(TEMPLATES)('what was signed can be cut into values in one way only: %s', (template) => {
  fc.assert(
    fc.property(values, values, (one, other) => {
      const [first, second] = [read(template, one), read(template, other)];
      if (first === null || first !== second) return;
      expect(used(template, one)).toEqual(used(template, other));
    }),
    { numRuns: 1_000 },
  );
});

it('what was signed of Mercado Pago has no request id in its payment id', () => {
  const template = '[id:{header:a};][request-id:{header:b};]ts:{header:c};';
  expect(signedOf(template, { a: '123456', b: 'x', c: '1' }, '')).toBe('id:123456;request-id:x;ts:1;');
  expect(signedOf(template, { a: '123456;request-id:x', c: '1' }, '')).toBeNull();
});

it('what was signed of every provider lets no value before the body hold what ends it', () => {
  for (const { id, verify } of providers.values()) {
    const schemes = verify === null ? [] : verify.scheme === 'any' ? verify.of : [verify];
    for (const scheme of schemes) {
      if (!('signed' in scheme)) continue;
      const parts = partsOf(scheme.signed);
      const literals = parts.filter(({ kind }) => kind === 'literal').length;
      const open = [...separatorsOf(parts).values()].filter((texts) => texts.length === 0);
      // Mailgun's fields stand side by side: the first has ten digits, or it is not of now.
      if (literals > 0) expect(open, id).toEqual([]);
    }
  }
});
