import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CONSTRAINTS, DURATION_PATTERN, type Constraint } from '../../openapi/constraints.ts';
import { DOCUMENTS, groupsOf, innerSchemas, shapeOf } from '../../openapi/groups.ts';
import { REQUEST_BODIES } from '../../openapi/request-bodies.ts';
import { formatDuration, parseDuration } from '../../src/lib/duration.ts';

interface Case {
  readonly key: string;
  readonly schema: z.core.$ZodType;
  readonly constraint: Constraint;
}

const cases = Object.entries({ ...DOCUMENTS, ...REQUEST_BODIES }).flatMap(([root, schema]) =>
  [...groupsOf(schema, root)].flatMap(([object, group]) =>
    Object.entries(CONSTRAINTS[group] ?? {}).flatMap(([key, constraint]): Case[] => {
      const property = shapeOf(object)[key];
      return property === undefined ? [] : [{ key: `${group}.${key}`, schema: property, constraint }];
    }),
  ),
);

/** The bounds of a key that its schema checks in code: by themselves they are not in the description. */
function boundsOf(schema: z.core.$ZodType): readonly (keyof Constraint)[] {
  const isRefused = (text: string, error: RegExp): boolean =>
    z.safeParse(schema, text).error?.issues.some(({ message }) => error.test(message)) === true;
  if (schema instanceof z.core.$ZodArray) {
    const { element, checks = [] } = schema._zod.def;
    const isBounded = checks.some(({ _zod }) => _zod.def.check === 'custom');
    return [...(isBounded ? (['list'] as const) : []), ...boundsOf(element)];
  }
  if (schema instanceof z.core.$ZodString)
    return isRefused('a'.repeat(100_000), /^must have at most \d+ characters$/) ? ['text'] : [];
  if (isRefused('1000000d', /^must be between 1?\S+ and \S+, not 1000000d$/)) return ['duration'];
  return innerSchemas(schema).flatMap(({ inner }) => boundsOf(inner));
}

/** Checks that the limits in the description are those that the validating schema checks in code. */
describe('the limits in the description', () => {
  it('are there for each text, list and duration that the relay bounds', () => {
    const missing = Object.entries({ ...DOCUMENTS, ...REQUEST_BODIES }).flatMap(([root, schema]) =>
      [...groupsOf(schema, root)].flatMap(([object, group]) =>
        Object.entries(shapeOf(object)).flatMap(([key, property]) =>
          boundsOf(property)
            .filter((bound) => CONSTRAINTS[group]?.[key]?.[bound] === undefined)
            .map((bound) => `${group}.${key}: ${bound}`),
        ),
      ),
    );
    expect([...new Set(missing)]).toEqual([]);
  });

  it.each(cases.filter(({ constraint }) => constraint.text?.maxLength !== undefined))(
    'are the longest and the shortest text of $key',
    ({ key, schema, constraint }) => {
      const { maxLength = 0, minLength = 0, format } = constraint.text ?? {};
      const ofLength = (length: number): unknown => {
        const end = key === 'verify.oidc.email' ? '@a' : '';
        const text =
          format === 'uri'
            ? `https://a.example/${'a'.repeat(length - 18)}`
            : 'a'.repeat(length - end.length) + end;
        return constraint.list === undefined ? text : Array.from({ length: 2 }, () => text);
      };
      expect(accepts(schema, ofLength(maxLength))).toBe(true);
      expect(accepts(schema, ofLength(maxLength + 1))).toBe(false);
      if (format === undefined) {
        expect(accepts(schema, ofLength(minLength))).toBe(true);
        expect(accepts(schema, ofLength(minLength - 1))).toBe(false);
      }
    },
  );

  it.each(cases.filter(({ constraint }) => constraint.duration !== undefined))(
    'are the shortest and the longest duration of $key',
    ({ schema, constraint }) => {
      const [shortest = 0, longest = 0] = (constraint.duration ?? []).map(milliseconds);
      const given = (ms: number): unknown =>
        constraint.list === undefined ? formatDuration(ms) : [formatDuration(ms)];
      expect(accepts(schema, given(shortest))).toBe(true);
      expect(accepts(schema, given(longest))).toBe(true);
      expect(accepts(schema, given(longest + 1))).toBe(false);
      if (shortest > 0) expect(accepts(schema, given(shortest - 1))).toBe(false);
    },
  );

  it.each(cases.filter(({ constraint }) => constraint.list !== undefined))(
    'are the longest and the shortest list of $key',
    ({ key, schema, constraint }) => {
      const { maxItems = 0, minItems = 0 } = constraint.list ?? {};
      const ofItems = (length: number) => Array.from({ length }, () => elementOf(key, constraint));
      expect(accepts(schema, ofItems(maxItems))).toBe(true);
      expect(accepts(schema, ofItems(maxItems + 1))).toBe(false);
      expect(accepts(schema, ofItems(minItems))).toBe(true);
      if (minItems > 0) expect(accepts(schema, ofItems(minItems - 1))).toBe(false);
    },
  );

  it.each(cases.filter(({ constraint }) => constraint.examples !== undefined))(
    'have examples that are taken: $key',
    ({ schema, constraint }) => {
      for (const example of constraint.examples ?? []) {
        expect(accepts(schema, constraint.list === undefined ? example : [example])).toBe(true);
      }
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

const accepts = (schema: z.core.$ZodType, value: unknown): boolean => z.safeParse(schema, value).success;

function milliseconds(text: string): number {
  const parsed = parseDuration(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

/** Something that may stand in a list. */
function elementOf(key: string, { examples, text }: Constraint): unknown {
  if (key === 'source.routes') return { name: 'all' };
  if (key === 'route.escalate') return { after: '10m', to: 'managers' };
  if (key.endsWith('.fallback')) return { kind: 'text', message: 'hello' };
  if (key === 'recipients.rotation.shifts') return { order: ['anna'], from: '20:00', to: '08:00' };
  if (key === 'recipients.rotation.overrides')
    return { person: 'anna', from: '2026-01-01T00:00', to: '2026-01-02T00:00' }; // fixed date: in a schema
  if (key.endsWith('.throttle')) return { max: 1, per: '1m' };
  if (key === 'answer.rules') return { means: 'refused' };
  if (key === 'verify.any.of') return { scheme: 'basic' };
  return examples?.[0] ?? (text === undefined ? null : 'a');
}
