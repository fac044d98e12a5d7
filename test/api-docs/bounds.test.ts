import { expect, it } from 'vitest';
import * as z from 'zod';
import { type Bounds, boundsOf, durationBounds, DURATION_PATTERN, HINTS } from '../../api-docs/components.ts';
import { describeApi } from '../../api-docs/document.ts';
import { partsOf } from '../../api-docs/groups.ts';
import { DAY, formatDuration, MINUTE, parseDuration } from '../../src/lib/time.ts';
import { duration, listOf, someText } from '../../src/schema/parts.ts';
import { KEYS as ALL_KEYS } from './keys.ts';

const KEYS = ALL_KEYS.map(({ group, key, schema }) => ({ key: `${group}.${key}`, schema }));

/** The texts and the lists that a key can hold. */
const PARTS = KEYS.flatMap(({ key, schema }) =>
  textsAndLists(schema).map((part) => ({ key, schema: part, bounds: boundsOf(part) })),
);

function textsAndLists(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const isOne = schema instanceof z.core.$ZodString || schema instanceof z.core.$ZodArray;
  return [...(isOne ? [schema] : []), ...partsOf(schema).flatMap(textsAndLists)];
}

/** The bound that a text or a list has in code, whatever its checks name; null for none. */
function checkedIn(schema: z.core.$ZodType): keyof Bounds | null {
  if (schema instanceof z.core.$ZodArray) {
    const { checks = [] } = schema._zod.def;
    return checks.some(({ _zod }) => _zod.def.check === 'custom') ? 'maxItems' : null;
  }
  if (refuses(schema, 'a'.repeat(100_000), /characters$/)) return 'maxLength';
  return refuses(schema, '1000000d', /^must be between/) ? 'maxMs' : null;
}

it('a bound is named for each text, list and duration that the relay bounds', () => {
  const missing = PARTS.flatMap(({ key, schema, bounds }) => {
    const bound = checkedIn(schema);
    return bound === null || bounds[bound] !== undefined ? [] : [`${key}: ${bound}`];
  });
  expect([...new Set(missing)]).toEqual([]);
});

/** The sizes around both bounds that a schema takes or refuses, but should not. */
const wrongSizes = (min: number, max: number, isRefused: (size: number) => boolean): readonly number[] => [
  ...[min, max].filter((size) => isRefused(size)),
  ...[...(min > 0 ? [min - 1] : []), max + 1].filter((size) => !isRefused(size)),
];

it('the bounds are the shortest and the longest text, duration and list that the relay takes', () => {
  const wrong = PARTS.map(({ key, schema, bounds }) => {
    const { minLength = 0, maxLength, minMs = 0, maxMs, minItems = 0, maxItems } = bounds;
    const text = (size: number) => refuses(schema, 'a'.repeat(size), /characters$|empty$/);
    const time = (size: number) => !accepts(schema, formatDuration(size));
    const list = (length: number) =>
      !accepts(
        schema,
        Array.from({ length }, () => (holdsLists(schema) ? [] : elementOf(key))),
      );
    const sizes = [
      ...(maxLength === undefined ? [] : wrongSizes(minLength, maxLength, text)),
      ...(maxMs === undefined ? [] : wrongSizes(minMs, maxMs, time)),
      ...(maxItems === undefined ? [] : wrongSizes(minItems, maxItems, list)),
    ];
    return { key, sizes };
  });
  expect(wrong.length).toBeGreaterThan(200);
  expect(wrong.filter(({ sizes }) => sizes.length > 0)).toEqual([]);
});

it('examples of a key are taken', () => {
  const refused = KEYS.flatMap(({ key, schema }) =>
    examplesOf(key)
      .filter((example) => !accepts(schema, example) && !accepts(schema, [example]))
      .map((example) => ({ key, example })),
  );
  expect(refused).toEqual([]);
});

const isDuration = (text: string) => [new RegExp(DURATION_PATTERN).test(text), parseDuration(text).ok];

it('the pattern of a duration takes what the relay takes', () => {
  for (const text of ['0s', '250ms', '1.5h', '3d', '1.25m'])
    expect(isDuration(text), text).toEqual([true, true]);
  for (const text of ['', '5', 's', '1h30m', '-1s', '1.1234567s', '1 s', '5S'])
    expect(isDuration(text), text).toEqual([false, false]);
});

it('the bounds of durations are in words, in the descriptions of keys and parameters, too', () => {
  const rows = [
    [duration(1_000, 30 * DAY), ' From 1s to 30d.'],
    [z.optional(duration(0, DAY)), ' Up to 1d.'],
    [listOf(duration(100, MINUTE), 'durations', { max: 2 }), ' Each from 100ms to 1m.'],
    [z.union([z.literal(false), duration(1_000, MINUTE)]), ' From 1s to 1m.'],
    [someText(5), ''],
  ] as const;
  for (const [schema, words] of rows) expect(durationBounds(schema)).toBe(words);
  const text = JSON.stringify(describeApi('1.2.3'));
  expect(text).toContain('The time for which a key is remembered. From 1s to 30d. Default: `3d`.');
  expect(text).toContain('else `1h`. From 5m to 1d.');
});

const accepts = (schema: z.core.$ZodType, value: unknown): boolean => z.safeParse(schema, value).success;

const refuses = (schema: z.core.$ZodType, text: string, error: RegExp): boolean =>
  z.safeParse(schema, text).error?.issues.some(({ message }) => error.test(message)) === true;

function examplesOf(key: string): readonly unknown[] {
  const dot = key.lastIndexOf('.');
  return HINTS[key.slice(0, dot)]?.[key.slice(dot + 1)]?.examples ?? [];
}

const holdsLists = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.core.$ZodArray && schema._zod.def.element instanceof z.core.$ZodArray;

/** Something that may stand in a list. */
function elementOf(key: string): unknown {
  if (key === 'source.routes' || key === 'provider.routes') return { name: 'all' };
  if (key.endsWith('.handshakes'))
    return { match: { method: 'GET', where: [] }, proof: { by: 'nothing' }, respond: { status: 200 } };
  if (/\.(?:where|when|changing)$/.test(key)) return { at: 'body:a' };
  if (key === 'answers.accepted') return { status: 200 };
  if (key === 'route.escalate') return { after: '10m', to: 'managers' };
  if (key.endsWith('.fallback')) return { kind: 'text', message: 'hello' };
  if (key === 'recipients.rotation.shifts') return { order: ['anna'], from: '20:00', to: '08:00' };
  if (key === 'recipients.rotation.overrides')
    return { person: 'anna', from: '2026-01-01T00:00', to: '2026-01-02T00:00' };
  if (key.endsWith('.throttle')) return { max: 1, per: '1m' };
  if (key === 'answer.rules') return { means: 'refused' };
  if (key === 'verify.any.of') return { scheme: 'basic' };
  return examplesOf(key)[0] ?? 'a';
}
