import * as z from 'zod/mini';
import { KIND_NAMES, type MessageKind } from '../../gateway/kinds.ts';
import type { JsonTemplate } from '../../gateway/shape.ts';
import { isFast } from '../../lib/fast-pattern.ts';
import {
  listOf,
  mustBe,
  notText,
  oneOf,
  recordOf,
  someText,
  strictDocument,
  wholeNumber,
} from '../../schema/parts.ts';

/** A text with fields. The limit is in UTF-16 units. */
const text = someText(2_048);

const headerText = text.check(
  z.regex(/^[ -~]*$/, { error: 'has a line break or another character invalid in headers' }),
);

const MAX_PATTERN = 1_000;

const pattern = someText(MAX_PATTERN).check(
  z.refine(isPattern, {
    error: 'is not a regular expression; write `\\` before characters that are meant literally',
    abort: true,
  }),
  z.refine((source) => source.length > MAX_PATTERN || isFast(source), {
    error:
      'could take very long on some texts, as `(a+)+`, `(a|a)*`, `a*a*` and several `.*` do, or has `(?<=…)` or `\\1`: repeat only what ends at another character, such as `[^,]*,`',
  }),
);

export const patterns = listOf(pattern, 'regular expressions', { max: 50 });

const scalars = listOf(
  z.union([z.string(), z.number(), z.boolean()], { error: 'must be a text, a number, true or false' }),
  'values',
  { min: 1, max: 100 },
);

const secretEnd = z.string({ error: notText }).check(
  z.regex(/^[A-Z][A-Z0-9_]{0,40}$/, {
    error: 'must be the end of a name such as TOKEN: the secret is then GATEWAY_<ACCOUNT>_TOKEN',
  }),
);

/** Deeper than the JSON of any maker. */
const MAX_DEPTH = 8;

const tree = z.custom<JsonTemplate>((value) => isTree(value, MAX_DEPTH), {
  error: `must be texts, numbers, true, false, lists and objects of these, at most ${MAX_DEPTH} deep`,
});

const call = strictDocument({
  method: z.optional(oneOf(['POST', 'PUT'])),
  path: z
    .string({ error: mustBe('a path below `base_url` such as /send') })
    .check(
      z.regex(/^\/[^\s#\\]{0,500}$/, { error: 'must begin with `/`, and have no space, `#` or backslash' }),
    ),
  json: z.optional(tree),
  form: z.optional(recordOf(text, 'must be an object of texts')),
  limits: z.optional(recordOf(wholeNumber(1, 65_536), 'must be an object of numbers')),
});

const rule = strictDocument({
  status: z.optional(listOf(wholeNumber(100, 599), 'statuses', { min: 1, max: 50 })),
  field: z.optional(text),
  is: z.optional(scalars),
  matches: z.optional(pattern),
  means: oneOf(['refused', 'uncertain', 'unauthorized', 'forbidden', 'busy', 'rejected', 'server_error']),
  say: z.optional(text),
});

/** A text stands in for a kind that a gateway does not have. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of exactly these names
const OTHER_KINDS = Object.fromEntries(
  KIND_NAMES.filter((kind) => kind !== 'text').map((kind) => [kind, z.optional(call)]),
) as Record<Exclude<MessageKind, 'text'>, z.ZodMiniOptional<typeof call>>;

const notUserAndPassword = 'must be a list of two texts: the user and the password';

const fieldTest = { field: text, is: z.optional(scalars) };

/** A gateway that a document declares by hand; see `HttpShape`. */
export const httpSchema = strictDocument({
  secrets: z.optional(listOf(secretEnd, 'names', { max: 8 })),
  optional_secrets: z.optional(listOf(secretEnd, 'names', { max: 8 })),
  receiver: z.union([z.literal('phone'), strictDocument({ address: pattern, what: text })], {
    error: 'must be phone, or `{ address, what }`: the pattern of an address, and what people call one',
  }),
  headers: z.optional(recordOf(headerText, 'must be an object of texts')),
  basic: z.optional(
    z.array(headerText, { error: notUserAndPassword }).check(
      z.refine((list) => list.length === 2, {
        error: notUserAndPassword,
        params: { minItems: 2, maxItems: 2 },
      }),
    ),
  ),
  format: z.optional(oneOf(['chat', 'plain', 'html'])),
  max_length: z.optional(wholeNumber(1, 65_536)),
  max_bytes: z.optional(wholeNumber(16, 262_144)),
  kinds: strictDocument({ text: call, ...OTHER_KINDS }),
  answer: strictDocument({
    sent: z.union([strictDocument(fieldTest), strictDocument({ matches: pattern })], {
      error: 'must be `{ field, is }`, or `{ matches }`: what proves that a message was sent',
    }),
    refused: z.optional(strictDocument(fieldTest)),
    reason: z.optional(listOf(text, 'fields', { max: 10 })),
    retry_after: z.optional(text),
    rules: z.optional(listOf(rule, 'rules', { max: 50 })),
  }),
});

function isPattern(source: string): boolean {
  try {
    // Until it is used, none is too large.
    new RegExp(source.slice(0, MAX_PATTERN), 'u').test('');
    return true;
  } catch {
    return false;
  }
}

function isTree(value: unknown, depth: number): boolean {
  if (['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  return Object.values(value).every((one) => isTree(one, depth - 1));
}
