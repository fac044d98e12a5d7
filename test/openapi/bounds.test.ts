import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Bounds, boundsOf, durationBounds, DURATION_PATTERN } from '../../openapi/bounds.ts';
import { describeApi } from '../../openapi/document.ts';
import { partsOf } from '../../openapi/groups.ts';
import { HINTS } from '../../openapi/hints.ts';
import { DAY, formatDuration, MINUTE, parseDuration } from '../../src/lib/duration.ts';
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

const having = (bound: keyof Bounds) => PARTS.filter(({ bounds }) => bounds[bound] !== undefined);

/** The bound that a text or a list has in code, whatever its checks name; null for none. */
function checkedIn(schema: z.core.$ZodType): keyof Bounds | null {
  if (schema instanceof z.core.$ZodArray) {
    const { checks = [] } = schema._zod.def;
    return checks.some(({ _zod }) => _zod.def.check === 'custom') ? 'maxItems' : null;
  }
  if (refuses(schema, 'a'.repeat(100_000), /characters$/)) return 'maxLength';
  return refuses(schema, '1000000d', /^must be between/) ? 'maxMs' : null;
}

describe('the bounds that checks name', () => {
  it('are there for each text, list and duration that the relay bounds', () => {
    const missing = PARTS.flatMap(({ key, schema, bounds }) => {
      const bound = checkedIn(schema);
      return bound === null || bounds[bound] !== undefined ? [] : [`${key}: ${bound}`];
    });
    expect([...new Set(missing)]).toEqual([]);
  });

  it.each(having('maxLength'))(
    'are the longest and the shortest text of $key',
    ({ schema, bounds: { minLength = 0, maxLength = 0 } }) => {
      const isRefused = (length: number) => refuses(schema, 'a'.repeat(length), /characters$|empty$/);
      expect([minLength, maxLength].map(isRefused)).toEqual([false, false]);
      expect([minLength - 1, maxLength + 1].map(isRefused)).toEqual([true, true]);
    },
  );

  it.each(having('maxMs'))(
    'are the longest and the shortest duration of $key',
    ({ schema, bounds: { minMs = 0, maxMs = 0 } }) => {
      const isRefused = (ms: number) => !accepts(schema, formatDuration(ms));
      expect([minMs, maxMs].map(isRefused)).toEqual([false, false]);
      expect(isRefused(maxMs + 1)).toBe(true);
      if (minMs > 0) expect(isRefused(minMs - 1)).toBe(true);
    },
  );

  it.each(having('maxItems'))(
    'are the longest and the shortest list of $key',
    ({ key, schema, bounds: { minItems = 0, maxItems = 0 } }) => {
      const isRefused = (length: number) =>
        !accepts(
          schema,
          Array.from({ length }, () => elementOf(key)),
        );
      expect([minItems, maxItems].map(isRefused)).toEqual([false, false]);
      expect(isRefused(maxItems + 1)).toBe(true);
      if (minItems > 0) expect(isRefused(minItems - 1)).toBe(true);
    },
  );

  it.each(KEYS.filter(({ key }) => examplesOf(key).length > 0))(
    'are beside examples that are taken: $key',
    ({ key, schema }) => {
      for (const example of examplesOf(key))
        expect([example, [example]].some((one) => accepts(schema, one))).toBe(true);
    },
  );

  it.each(['0s', '250ms', '1.5h', '3d', '1.25m'])('describe a duration: %s', (text) => {
    expect(new RegExp(DURATION_PATTERN).test(text)).toBe(true);
    expect(parseDuration(text).ok).toBe(true);
  });

  it.each(['', '5', 's', '1h30m', '-1s', '1.1234567s', '1 s', '5S'])('describe no duration: %j', (text) => {
    expect(new RegExp(DURATION_PATTERN).test(text)).toBe(false);
    expect(parseDuration(text).ok).toBe(false);
  });
});

describe('the bounds of durations in words', () => {
  it.each([
    ['a duration', duration(1_000, 30 * DAY), ' From 1s to 30d.'],
    ['a duration that may be 0', z.optional(duration(0, DAY)), ' Up to 1d.'],
    [
      'a list of durations',
      listOf(duration(100, MINUTE), 'durations', { max: 2 }),
      ' Each from 100ms to 1m.',
    ],
    ['false, or a duration', z.union([z.literal(false), duration(1_000, MINUTE)]), ' From 1s to 1m.'],
    ['a text', someText(5), ''],
  ])('%s', (_, schema, words) => {
    expect(durationBounds(schema)).toBe(words);
  });

  it('are in the description of a key and of a parameter', () => {
    const text = JSON.stringify(describeApi('1.2.3'));
    expect(text).toContain('The time for which a key is remembered. From 1s to 30d. Default: `3d`.');
    expect(text).toContain('else `1h`. From 5m to 1d.');
  });
});

const accepts = (schema: z.core.$ZodType, value: unknown): boolean => z.safeParse(schema, value).success;

const refuses = (schema: z.core.$ZodType, text: string, error: RegExp): boolean =>
  z.safeParse(schema, text).error?.issues.some(({ message }) => error.test(message)) === true;

function examplesOf(key: string): readonly unknown[] {
  const dot = key.lastIndexOf('.');
  return HINTS[key.slice(0, dot)]?.[key.slice(dot + 1)]?.examples ?? [];
}

/** Something that may stand in a list. */
function elementOf(key: string): unknown {
  if (key === 'source.routes') return { name: 'all' };
  if (key === 'route.escalate') return { after: '10m', to: 'managers' };
  if (key.endsWith('.fallback')) return { kind: 'text', message: 'hello' };
  if (key === 'recipients.rotation.shifts') return { order: ['anna'], from: '20:00', to: '08:00' };
  if (key === 'recipients.rotation.overrides')
    return { person: 'anna', from: '2026-01-01T00:00', to: '2026-01-02T00:00' }; // fixed date: in a schema
  if (key.endsWith('.throttle')) return { max: 1, per: '1m' };
  if (key === 'answer.rules') return { means: 'refused' };
  if (key === 'verify.any.of') return { scheme: 'basic' };
  return examplesOf(key)[0] ?? 'a';
}
