import { expect, it } from 'vitest';
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

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...DESCRIPTIONS,
  ...REQUEST_DESCRIPTIONS,
};

it('every key of every document and of every other body is described, and no other', () => {
  const documents = keysOf(DOCUMENTS);
  const others = Object.entries(keysOf(REQUEST_BODIES)).filter(([group]) => !(group in documents));
  expect(namesIn(DESCRIPTIONS)).toEqual(documents);
  expect(namesIn(REQUEST_DESCRIPTIONS)).toEqual(Object.fromEntries(others));
  const words = Object.values(WORDS).flatMap((keys) => Object.values(keys));
  expect(words.filter((text) => !/^[A-Z`][^]*\.$/.test(text) || text.includes(']('))).toEqual([]);
});

it('defaults and hints are only of keys that there are', () => {
  const known: Keys = { ...keysOf(DOCUMENTS), ...keysOf(REQUEST_BODIES) };
  const unknown = [DEFAULTS, HINTS].flatMap((groups) =>
    Object.entries(namesIn(groups)).flatMap(([group, keys]) =>
      keys.filter((key) => known[group]?.includes(key) !== true).map((key) => `${group}.${key}`),
    ),
  );
  expect(unknown).toEqual([]);
});

it('no description has a number that the relay does not have', () => {
  const wrong = KEYS.flatMap(({ group, key, schema }) => {
    const others = OTHER_NUMBERS[`${group.replace(/^verify\..*/, 'verify')}.${key}`] ?? [];
    const known = new Set([...numbersIn(schema), ...others]);
    return numbersOf(WORDS[group]?.[key] ?? '')
      .filter((number) => !known.has(number))
      .map((number) => `${group}.${key}: ${number}`);
  });
  expect([...new Set(wrong)]).toEqual([]);
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
