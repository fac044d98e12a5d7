import { describe, expect, it } from 'vitest';
import * as core from 'zod/v4/core';
import { DEFAULTS, DESCRIPTIONS } from '../../openapi/descriptions.ts';
import { boundsOf } from '../../openapi/bounds.ts';
import { DOCUMENTS, partsOf } from '../../openapi/groups.ts';
import { HINTS } from '../../openapi/hints.ts';
import { REQUEST_BODIES, REQUEST_DESCRIPTIONS } from '../../openapi/request-bodies.ts';
import { MAX_ACTIONS, SILENCE } from '../../src/config/action-schema.ts';
import { MAX_DAYS } from '../../src/config/rotation-schema.ts';
import { MAX_OTHERS } from '../../src/ingest/form/fields.ts';
import { MAX_DEDUPE_KEY } from '../../src/ingest/request/identify.ts';
import { MAX_KEY_LENGTH } from '../../src/ingest/routing/draft-item.ts';
import { DAY, parseDuration } from '../../src/lib/duration.ts';
import { VISITOR_MESSAGES_PER_DAY } from '../../src/outbox/accept/visitors.ts';
import { JITTER } from '../../src/outbox/send/decide.ts';
import { MAX_FILES_BYTES } from '../../src/registry/managed.ts';
import { SPAM_KEPT_MS } from '../../src/registry/spam.ts';
import { MAX_PIECES } from '../../src/render/send.ts';
import { MAX_SIGNATURES } from '../../src/signature/signed/digest.ts';
import { MAX_PUBLIC_KEY_SIGNATURES } from '../../src/signature/signed/public-key.ts';
import { MAX_PIECES as MAX_SECRETS } from '../../src/signature/signed/secret-key.ts';
import { MAX_ITEMS } from '../../src/signature/signed/verify-signed.ts';
import { MAX_LINE } from '../../src/template/line.ts';
import { KEYS, keysIn } from './keys.ts';

type Keys = Readonly<Record<string, readonly string[]>>;

const documents = keysOf(DOCUMENTS);
const bodies = keysOf(REQUEST_BODIES);

describe('the words about documents', () => {
  it('are there for every key of every document, and for no other', () => {
    expect(namesIn(DESCRIPTIONS)).toEqual(documents);
  });

  it('are there for every key of every other body', () => {
    const own = Object.fromEntries(Object.entries(bodies).filter(([group]) => !(group in documents)));
    expect(namesIn(REQUEST_DESCRIPTIONS)).toEqual(own);
  });

  it('are sentences', () => {
    const groups: readonly Readonly<Record<string, string>>[] = [
      ...Object.values(DESCRIPTIONS),
      ...Object.values(REQUEST_DESCRIPTIONS),
    ];
    const words = groups.flatMap((keys) => Object.values(keys));
    expect(words.filter((text) => !/^[A-Z`][^]*\.$/.test(text))).toEqual([]);
    expect(words.filter((text) => text.includes(']('))).toEqual([]);
  });

  it('have no number that the relay does not have', () => {
    const wrong = KEYS.flatMap(({ group, key, schema }) => {
      const known = new Set([...numbersIn(schema), ...otherNumbers(group, key)]);
      return numbersOf(wordsOf(group, key))
        .filter((number) => !known.has(number))
        .map((number) => `${group}.${key}: ${number}`);
    });
    expect([...new Set(wrong)]).toEqual([]);
  });

  it('have all the other numbers in the list of this test', () => {
    const written = new Set(
      KEYS.flatMap(({ group, key }) =>
        otherNumbers(group, key).every((number) => numbersOf(wordsOf(group, key)).includes(number))
          ? [`${group.replace(/^verify\..*/, 'verify')}.${key}`]
          : [],
      ),
    );
    expect(Object.keys(OTHER_NUMBERS).filter((key) => !written.has(key))).toEqual([]);
  });

  it('have no value in code that the key cannot have', () => {
    const wrong = choices().flatMap(({ name, values, words }) => {
      const known = new Set([...values, ...(OTHER_CODE[name] ?? [])]);
      return codeIn(words)
        .filter((code) => !known.has(code))
        .map((code) => `${name}: ${code}`);
    });
    expect(wrong).toEqual([]);
  });

  it('have all values of a key if they list some', () => {
    const missing = choices().flatMap(({ name, values, words }) => {
      const named = values.filter((value) => isNamed(value, words));
      // Built-in gateways are an open list.
      if (named.length < 2 || words.includes('such as')) return [];
      return values.filter((value) => !named.includes(value)).map((value) => `${name}: ${value}`);
    });
    expect(missing).toEqual([]);
  });

  it('have all the other code in the list of this test', () => {
    const written = new Set(
      choices().flatMap(({ name, values, words }) =>
        codeIn(words)
          .filter((code) => !values.includes(code))
          .map((code) => `${name}: ${code}`),
      ),
    );
    const listed = Object.entries(OTHER_CODE).flatMap(([name, all]) => all.map((code) => `${name}: ${code}`));
    expect(listed.filter((one) => !written.has(one))).toEqual([]);
  });

  it.each([
    ['defaults', DEFAULTS],
    ['hints', HINTS],
  ])('have %s only for keys that there are', (_, groups) => {
    const known = { ...documents, ...bodies };
    const unknown = Object.entries(namesIn(groups)).flatMap(([group, keys]) =>
      keys.filter((key) => known[group]?.includes(key) !== true).map((key) => `${group}.${key}`),
    );
    expect(unknown).toEqual([]);
  });
});

/** Numbers in descriptions that are not bounds of the key, from the code where they are bounds of something else. */
const OTHER_NUMBERS: Readonly<Record<string, readonly number[]>> = {
  'source.subject': [MAX_LINE],
  'source.limit': [429], // a status
  'source.limit.messages_per_minute': [429],
  'source.other_fields': [MAX_OTHERS],
  'source.spam': [SPAM_KEPT_MS / DAY],
  'source.spam.turnstile': [503],
  'source.dedupe.key': [MAX_DEDUPE_KEY],
  'route.each': [1], // the first index
  'route.actions': [MAX_ACTIONS],
  'route.actions.silence': SILENCE,
  'route.to_visitor': [VISITOR_MESSAGES_PER_DAY],
  'route.max_length': [2], // UTF-16 units of an emoji
  'route.overflow': [MAX_PIECES],
  'route.incident.key': [MAX_KEY_LENGTH],
  'recipients.rotation.every': [MAX_DAYS * DAY],
  'account.retry': [JITTER * 100, 1], // n + 1
  'verify.scheme': [32], // bytes of an Ed25519 key
  'verify.signature_format': [64], // bytes of two numbers of P-256
  'verify.list_separator': [MAX_SIGNATURES, MAX_PUBLIC_KEY_SIGNATURES],
  'verify.items': [1, MAX_ITEMS],
  'verify.secret_separator': [MAX_SECRETS],
  'verify.unit': [1970],
  'set.files': [MAX_FILES_BYTES],
};

/** Code in descriptions of keys with few values that is not one of the values. */
const OTHER_CODE: Readonly<Record<string, readonly string[]>> = {
  'source.origins': ['[https://shop.example]', 'Origin'],
  'source.other_fields': ['fields'],
  'route.overflow': ['…'],
  'http.receiver': ['{ address, what }'],
  'http.format': ['*bold*'],
  'verify.list_separator': ['ed25519', 'ecdsa'],
  'verify.key_value_separator': ['keys'],
  'verify.in': ['/hooks/{source}/{token}'],
  'replay.only': ['uncertain'],
};

/** A key that has one of a few texts. */
interface Choice {
  readonly name: string;
  readonly values: readonly string[];
  readonly words: string;
}

/** Every such key, with its values in all objects of its group. */
const choices = (): readonly Choice[] =>
  [...Map.groupBy(KEYS, ({ group, key }) => `${group}.${key}`)].flatMap(([, [first, ...others]]) => {
    if (first === undefined) return [];
    const values = [...new Set([first, ...others].flatMap(({ schema }) => textsIn(schema)))];
    // The description of a kind or a scheme is about the whole object.
    if (values.length === 1 && first.group.endsWith(`.${values[0]}`)) return [];
    const name = `${first.group.replace(/^verify\..*/, 'verify')}.${first.key}`;
    return values.length === 0 ? [] : [{ name, values, words: wordsOf(first.group, first.key) }];
  });

/** The texts that a schema lists, but not inside of objects. */
function textsIn(schema: core.$ZodType): readonly string[] {
  if (schema instanceof core.$ZodObject || schema instanceof core.$ZodDiscriminatedUnion) return [];
  if (schema instanceof core.$ZodEnum) return Object.values(schema._zod.def.entries).map(String);
  if (schema instanceof core.$ZodLiteral)
    return schema._zod.def.values.filter((value) => typeof value === 'string');
  return partsOf(schema).flatMap(textsIn);
}

const codeIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

const isNamed = (value: string, words: string): boolean =>
  value === ' ' ? words.includes('a space') : codeIn(words).includes(value);

const otherNumbers = (group: string, key: string): readonly number[] =>
  OTHER_NUMBERS[`${group.replace(/^verify\..*/, 'verify')}.${key}`] ?? [];

/** The bounds in a schema, but not inside of objects with known keys. */
function numbersIn(schema: core.$ZodType): readonly number[] {
  const { minimum, maximum } = schema instanceof core.$ZodNumber ? core.toJSONSchema(schema) : {};
  const own = [minimum, maximum, ...Object.values(boundsOf(schema))];
  return [...own.filter((bound) => bound !== undefined), ...partsOf(schema).flatMap(numbersIn)];
}

/** The numbers of a text, durations in ms. Leaves out those in code, in names such as SHA-256, and in 2xx. */
function numbersOf(text: string): readonly number[] {
  const words = text.replaceAll(/`[^`]*`|\b(?:ISO|BCP) \d+/g, '');
  return [...words.matchAll(/(?<![\w.-])(\d[\d,]*)(ms|s|m|h|d)?\b/g)].map(([written, digits = '', unit]) => {
    const duration = parseDuration(written);
    return unit !== undefined && duration.ok ? duration.value : Number(digits.replaceAll(',', ''));
  });
}

const ALL_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...DESCRIPTIONS,
  ...REQUEST_DESCRIPTIONS,
};
const wordsOf = (group: string, key: string): string => ALL_WORDS[group]?.[key] ?? '';

/** The keys of each group in the schemas. */
function keysOf(roots: Readonly<Record<string, core.$ZodType>>): Keys {
  const groups = Map.groupBy(keysIn(roots), ({ group }) => group);
  return sorted(
    [...groups].map(([group, all]) => [group, [...new Set(all.map(({ key }) => key))].toSorted()]),
  );
}

const namesIn = (groups: Readonly<Record<string, object>>): Keys =>
  sorted(Object.entries(groups).map(([group, keys]) => [group, Object.keys(keys).toSorted()]));

function sorted(entries: readonly (readonly [string, readonly string[]])[]): Keys {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
