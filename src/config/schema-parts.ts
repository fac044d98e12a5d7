import * as z from 'zod';
import { SECRET_NAME } from '../env.ts';
import { parseDuration } from '../lib/duration.ts';
import { suggest } from '../lib/suggest.ts';

/** An object that refuses keys it does not know, with a suggestion where one of its own is close. */
export function strictDocument<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') return unknownKeys(issue.keys ?? [], known);
      return issue.input === undefined ? 'is required' : 'must be an object of keys and values';
    },
  });
}

function unknownKeys(keys: readonly string[], known: readonly string[]): string {
  return keys
    .map((key) => {
      const close = suggest(key, known);
      return `unknown key \`${key}\`${close === null ? `; known keys: ${known.join(', ')}` : `; did you mean \`${close}\`?`}`;
    })
    .join('. ');
}

/** One of a few words; anything else is refused with the list, and a suggestion where one is close. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, {
    error: (issue) => {
      const close = typeof issue.input === 'string' ? suggest(issue.input, words) : null;
      return `must be one of ${words.join(', ')}${close === null ? '' : `; did you mean \`${close}\`?`}`;
    },
  });
}

/** A duration as documents write it (`15s`, `3d`), in milliseconds, between the given bounds. */
export function duration(minMs: number, maxMs: number) {
  return z
    .string({ error: 'must be a duration such as `30s`, `5m`, `3h` or `2d`' })
    .transform((text, context) => {
      const parsed = parseDuration(text);
      if (!parsed.ok) {
        context.addIssue({ code: 'custom', message: parsed.error });
        return z.NEVER;
      }
      if (parsed.value < minMs || parsed.value > maxMs) {
        context.addIssue({
          code: 'custom',
          message: `must be between ${minMs} ms and ${maxMs} ms; ${text} is ${parsed.value} ms`,
        });
        return z.NEVER;
      }
      return parsed.value;
    });
}

/** A whole number between two bounds. */
export const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.int({ error: message }).min(min, { error: message }).max(max, { error: message });
};

/** Text that is not empty and not longer than `max` UTF-16 units. */
export const someText = (max: number) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be text') })
    .min(1, { error: 'must not be empty' })
    .max(max, { error: `must not be longer than ${max} characters` });

/** The name of a Worker secret. Its value never stands in a document. */
export const secretName = z
  .string({ error: 'must be the name of a secret' })
  .regex(SECRET_NAME, {
    error: 'must be the NAME of a secret (A–Z, 0–9, _), never its value: set it with `wrangler secret put`',
  })
  .refine((name) => !OWN_SECRETS.test(name), {
    error: 'is a credential of hookbell itself and cannot sign webhooks',
  });

/** A source that could name these would let a config editor check guesses at them. */
const OWN_SECRETS = /^(ADMIN_TOKEN|GATEWAY_.*)$/;

/** A number as the gateway takes it: digits that start with the country code (E.164: 15 at most). */
export const gatewayDigits = /^[1-9][0-9]{6,14}$/;
