import * as z from 'zod/mini';
import { SECRET_NAME } from '../lib/secret.ts';
import type { Fault, FieldError } from '../lib/problem.ts';
import type { Result } from '../lib/result.ts';
import { formatDuration, parseDuration } from '../lib/time.ts';
import { suggest } from '../lib/suggest.ts';

/**
 * An object that refuses unknown keys, and suggests a known one that is close. A function is called when the schema is
 * first used: most never are where webhooks arrive, and to make all takes a tenth of an isolate's start.
 */
export function strictDocument<Shape extends z.core.$ZodShape>(shape: Shape | (() => Shape)) {
  let known: Shape | null = null;
  const shapeOf = (): Shape => (known ??= typeof shape === 'function' ? shape() : shape);
  const made = new z.ZodMiniObject({
    type: 'object',
    get shape() {
      return shapeOf();
    },
    catchall: z.never(),
    error: (issue: z.core.$ZodRawIssue) =>
      issue.code === 'unrecognized_keys'
        ? unknownKeys(issue.keys ?? [], Object.keys(shapeOf()))
        : notAnObject(issue),
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `z.strictObject`: its class has no type parameters
  return made as z.ZodMiniObject<Shape, z.core.$strict>;
}

export const notAnObject = ({ input }: { readonly input?: unknown }): string =>
  input === undefined ? 'is required' : 'must be an object of keys and values';

/** Separates the messages of an issue about several keys; {@link shownKey} removes it from the keys. */
export const KEY_SEPARATOR = '\n';

const MAX_SHOWN_KEY = 64;

/** On one line, and whole or not at all: redaction does not recognise half a secret. */
export const shownKey = (key: string) => (key.length > MAX_SHOWN_KEY ? '…' : key.replaceAll(/\s/g, ' '));

/** The maximum number of unknown keys that an error names, with suggestions. */
export const MAX_NAMED_KEYS = 40;

function unknownKeys(keys: readonly string[], known: readonly string[]): string {
  const hint = (key: string): string => didYouMean(key, known) || `; known keys: ${known.join(', ')}`;
  return keys
    .slice(0, MAX_NAMED_KEYS)
    .map((key) => `unknown key \`${shownKey(key)}\`${hint(key)}`)
    .join(KEY_SEPARATOR);
}

/** The end of an error, if one of the words is close to what was given. */
export function didYouMean(given: unknown, words: readonly string[]): string {
  const close = typeof given === 'string' ? suggest(given, words) : null;
  return close === null ? '' : `; did you mean \`${close}\`?`;
}

/** One of a few words. The error for anything else lists them, and suggests one that is close. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: ({ input }) => `must be one of ${words.join(', ')}${didYouMean(input, words)}` });

/** A duration as documents write it (`15s`, `3d`), in milliseconds, between the given bounds. */
export const duration = (minMs: number, maxMs: number) =>
  z.pipe(durationText(minMs, maxMs), z.transform(toMilliseconds));

export const durationOr = (standard: string, minMs: number, maxMs: number) =>
  z.pipe(z._default(durationText(minMs, maxMs), standard), z.transform(toMilliseconds));

/** Bounds are also in `params` of their checks, from which `api-docs/components.ts` reads them for descriptions. */
const durationText = (minMs: number, maxMs: number) =>
  z.string({ error: mustBe('a duration such as `30s`, `5m`, `3h` or `2d`') }).check(
    z.check<string>(
      ({ value, issues }) => {
        const parsed = parseDuration(value);
        const [min, max] = [formatDuration(minMs), formatDuration(maxMs)];
        const outside = `must be between ${min} and ${max}, not ${value}`;
        if (!parsed.ok) issues.push(issueOf(['malformed', parsed.error], value));
        else if (parsed.value < minMs || parsed.value > maxMs)
          issues.push(issueOf(['out-of-range', outside, { min, max }], value));
      },
      { params: { minMs, maxMs } },
    ),
  );

/** A check's issue that keeps the code and the values of its fault. */
const issueOf = <Value>(fault: Fault, input: Value) =>
  ({ code: 'custom', message: fault[1], input, params: { fault } }) as const;

function toMilliseconds(text: string): number {
  const parsed = parseDuration(text);
  return parsed.ok ? parsed.value : z.NEVER;
}

/** What `read` makes of a value; its error says why it makes nothing. */
export const readAs = <Given extends z.core.$ZodType, Made>(
  given: Given,
  read: (value: z.output<Given>) => Result<Made, string>,
) =>
  z.pipe(
    given,
    z.transform((input: z.output<Given>, { issues }): Made => {
      const made = read(input);
      if (made.ok) return made.value;
      issues.push({ code: 'custom', message: made.error, input });
      return z.NEVER;
    }),
  );

export const wholeNumber = (min: number, max: number) => {
  const error = mustBe(`a whole number from ${min} to ${max}`);
  return z
    .number({ error })
    .check(
      z.refine(Number.isSafeInteger, { error, abort: true }),
      z.minimum(min, { error }),
      z.maximum(max, { error }),
    );
};

/** Not zod's own record, which also supports sets of keys, symbols and numbers as keys: ten times the code. */
export const recordOf = <Value extends z.core.$ZodType>(
  value: Value,
  error: string | typeof notAnObject = notAnObject,
) => z.catchall(z.object({}, { error }), value);

/** Checks several keys together. `find` returns the errors, each with its key, or with '' for the whole. */
export const withoutConflicts =
  <Value>(find: (value: Value) => readonly FieldError[]): z.core.CheckFn<Value> =>
  ({ value, issues }) => {
    for (const { path, code, message, params } of find(value))
      issues.push({
        ...issueOf([code, message, params], value),
        path: path === '' ? [] : [path],
        continue: true,
      });
  };

/** A list, with limits for its number of elements. `what`: its elements, in the plural. */
export function listOf<Element extends z.core.$ZodType>(
  element: Element,
  what: string,
  { min = 0, max }: { min?: number; max: number },
) {
  return z.array(element, { error: mustBe(`a list of ${what}`) }).check(
    z.refine((list) => list.length >= min, {
      error: min === 1 ? 'must not be empty' : `must have at least ${min} ${what}`,
      params: { minItems: min },
    }),
    z.refine((list) => list.length <= max, {
      error: `must have at most ${max} ${what}`,
      params: { maxItems: max },
    }),
  );
}

/** Text that is not empty and not longer than `max` UTF-16 units. */
export const someText = (max: number) =>
  z.string({ error: notText }).check(
    // Not `minLength` and `maxLength`, which would also check a list and add a second error.
    z.refine((text) => text !== '', { error: 'must not be empty', params: { minLength: 1 } }),
    z.refine((text) => text.length <= max, {
      error: `must have at most ${max} characters`,
      params: { maxLength: max },
    }),
  );

/** The error for a missing or wrong value. `what`: a description of the right one. */
export const mustBe =
  (what: string) =>
  (issue: { readonly input?: unknown }): string =>
    issue.input === undefined ? `is required: ${what}` : `must be ${what}`;

/** The error for anything but text: YAML reads `yes`, `0151` and the like as other types. */
export function notText({ input }: { readonly input?: unknown }): string {
  if (input === undefined) return 'is required';
  return typeof input === 'number' || typeof input === 'boolean'
    ? 'must be text: put it in quotes'
    : 'must be text';
}

type Wrong = string | ((issue: { readonly input?: unknown }) => string);

/** Text for which `isRight` holds. `noText`: the error for anything but text. */
export const textThat = (isRight: (text: string) => boolean, error: Wrong, noText: Wrong = notText) =>
  z.string({ error: noText }).check(z.refine(isRight, { error }));

/** The same for a pattern, which the API's description shows. */
export const textLike = (pattern: RegExp, error: Wrong, noText: Wrong = notText) =>
  z.string({ error: noText }).check(z.regex(pattern, { error }));

export const secretName = z.string({ error: 'must be the name of a secret' }).check(
  z.regex(SECRET_NAME, {
    error: 'must be the NAME of a secret (A–Z, 0–9, _), never its value: set it with `wrangler secret put`',
  }),
  z.refine((name) => !OWN_SECRETS.test(name), {
    error: 'is a credential of hookbell itself and cannot sign webhooks',
  }),
);

/** If a source could name one of these, a config editor could test guesses of its value. */
const OWN_SECRETS =
  /^(ADMIN_TOKEN(_NEXT)?|(OPERATOR|VIEWER)_TOKEN|VIEWER_SEES|ACCESS_(TEAM_DOMAIN|AUD|ROLES)|GATEWAY_.*)$/;
