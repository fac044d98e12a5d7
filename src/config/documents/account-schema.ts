import * as z from 'zod/mini';
import { fieldError } from '../../lib/problem.ts';
import { DAY, HOUR, MINUTE } from '../../lib/time.ts';
import {
  duration,
  listOf,
  mustBe,
  notText,
  oneOf,
  recordOf,
  secretName,
  strictDocument,
  wholeNumber,
  withoutConflicts,
  someText,
  textLike,
  textThat,
} from '../../schema/parts.ts';
import { timeOfDay, timezone } from './alerting-schema.ts';
import { ESCAPE_KINDS } from './account-defaults.ts';
import { isLoopback } from '../../lib/url.ts';
import { KIND_NAMES, type MessageKind } from '../../gateway/kinds.ts';
import { type JsonTemplate, MAKER_IDS } from '../../gateway/shape.ts';
import { isFast } from '../../lib/fast-pattern.ts';

/** A text with fields. The limit is in UTF-16 units. */
const text = someText(2_048);

const SAYS = {
  header: 'has a line break or another character invalid in headers',
  pattern: 'is not a regular expression; write `\\` before characters that are meant literally',
  slow: 'could take very long on some texts, as `(a+)+`, `(a|a)*`, `a*a*` and several `.*` do, or has `(?<=…)` or `\\1`: repeat only what ends at another character, such as `[^,]*,`',
  secretEnd: 'must be the end of a name such as TOKEN: the secret is then GATEWAY_<ACCOUNT>_TOKEN',
  path: 'must begin with `/`, and have no space, `#` or backslash',
  receiver: 'must be phone, or `{ address, what }`: the pattern of an address, and what people call one',
  basic: 'must be a list of two texts: the user and the password',
  sent: 'must be `{ field, is }`, or `{ matches }`: what proves that a message was sent',
  via: 'needs `kind` and `secret`, or `account`',
  noKind: 'cannot be combined with `kind` and `secret`',
  onlyAccount: 'works only with `account`',
  notifyUrl: 'must be an https URL (http only to this machine); write `{secret}` where its secret part goes',
  notifySecret: 'is required: name the Worker secret that replaces `{secret}` in `url`',
  secretPlace: 'must contain `{secret}` where the secret goes',
  baseUrl: 'must be an http(s) address without a query, such as https://chat.example.com',
};

const headerText = text.check(z.regex(/^[ -~]*$/, { error: SAYS.header }));

const MAX_PATTERN = 1_000;

const pattern = someText(MAX_PATTERN).check(
  z.refine((source) => isPattern(source), { error: SAYS.pattern, abort: true }),
  z.refine((source) => source.length > MAX_PATTERN || isFast(source), { error: SAYS.slow }),
);

export const patterns = listOf(pattern, 'regular expressions', { max: 50 });

const scalars = listOf(
  z.union([z.string(), z.number(), z.boolean()], { error: 'must be a text, a number, true or false' }),
  'values',
  { min: 1, max: 100 },
);

const secretEnd = textLike(/^[A-Z][A-Z0-9_]{0,40}$/, SAYS.secretEnd);

/** Deeper than the JSON of any maker. */
const MAX_DEPTH = 8;

const tree = z.custom<JsonTemplate>((value) => isTree(value, MAX_DEPTH), {
  error: `must be texts, numbers, true, false, lists and objects of these, at most ${MAX_DEPTH} deep`,
});

const call = strictDocument(() => ({
  method: z.optional(oneOf(['POST', 'PUT'])),
  path: textLike(/^\/[^\s#\\]{0,500}$/, SAYS.path, mustBe('a path below `base_url` such as /send')),
  json: z.optional(tree),
  form: z.optional(recordOf(text, 'must be an object of texts')),
  limits: z.optional(recordOf(wholeNumber(1, 65_536), 'must be an object of numbers')),
}));

const rule = strictDocument(() => ({
  status: z.optional(listOf(wholeNumber(100, 599), 'statuses', { min: 1, max: 50 })),
  field: z.optional(text),
  is: z.optional(scalars),
  matches: z.optional(pattern),
  means: oneOf(['refused', 'uncertain', 'unauthorized', 'forbidden', 'busy', 'rejected', 'server_error']),
  say: z.optional(text),
}));

/** A text stands in for a kind that a gateway does not have. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of exactly these names
const OTHER_KINDS = Object.fromEntries(
  KIND_NAMES.filter((kind) => kind !== 'text').map((kind) => [kind, z.optional(call)]),
) as Record<Exclude<MessageKind, 'text'>, z.ZodMiniOptional<typeof call>>;

const fieldTest = { field: text, is: z.optional(scalars) };

/** A gateway that a document declares by hand; see `HttpShape`. */
export const httpSchema = strictDocument(() => ({
  secrets: z.optional(listOf(secretEnd, 'names', { max: 8 })),
  optional_secrets: z.optional(listOf(secretEnd, 'names', { max: 8 })),
  receiver: z.union([z.literal('phone'), strictDocument({ address: pattern, what: text })], {
    error: SAYS.receiver,
  }),
  headers: z.optional(recordOf(headerText, 'must be an object of texts')),
  basic: z.optional(
    z
      .array(headerText, { error: SAYS.basic })
      .check(
        z.refine(({ length }) => length === 2, { error: SAYS.basic, params: { minItems: 2, maxItems: 2 } }),
      ),
  ),
  format: z.optional(oneOf(['chat', 'plain', 'html'])),
  max_length: z.optional(wholeNumber(1, 65_536)),
  max_bytes: z.optional(wholeNumber(16, 262_144)),
  kinds: strictDocument({ text: call, ...OTHER_KINDS }),
  answer: strictDocument({
    sent: z.union([strictDocument(fieldTest), strictDocument({ matches: pattern })], { error: SAYS.sent }),
    refused: z.optional(strictDocument(fieldTest)),
    reason: z.optional(listOf(text, 'fields', { max: 10 })),
    retry_after: z.optional(text),
    rules: z.optional(listOf(rule, 'rules', { max: 50 })),
  }),
}));

export function isPattern(source: string, flags = 'u'): boolean {
  try {
    // Until it is used, none is too large.
    new RegExp(source.slice(0, MAX_PATTERN), flags).test('');
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

/** `{secret}` in the URL stands for the value of a Worker secret. The format is that which its service expects. */
export interface NotifyPolicy {
  readonly url: string;
  readonly secret: string | null;
  readonly format: NotifyFormat;
}

export type NotifyFormat = 'json' | 'slack' | 'discord' | 'ntfy' | 'telegram';

/** True if notifications may go to this address: it uses https, or is on this machine. */
export function isNotifyUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

const viaSchema = strictDocument({
  kind: z.optional(oneOf(ESCAPE_KINDS)),
  secret: z.optional(secretName),
  account: z.optional(z.string({ error: notText })),
  to: z.optional(z.string({ error: notText })),
}).check(
  withoutConflicts(({ kind, secret, account, to }) => {
    if (account === undefined && (kind === undefined || secret === undefined))
      return [fieldError('', 'conflict', SAYS.via)];
    if (account !== undefined && (kind ?? secret) !== undefined)
      return [fieldError('account', 'conflict', SAYS.noKind)];
    return account === undefined && to !== undefined ? [fieldError('to', 'misplaced', SAYS.onlyAccount)] : [];
  }),
);

const notifySchema = strictDocument({
  url: textThat(isNotifyUrl, SAYS.notifyUrl, mustBe('an https URL')),
  secret: z.optional(secretName),
  format: z.optional(oneOf(['json', 'slack', 'discord', 'ntfy'])),
}).check(
  withoutConflicts(({ url, secret }) => {
    const hasPlace = url.includes('{secret}');
    if (hasPlace === (secret !== undefined)) return [];
    return hasPlace
      ? [fieldError('secret', 'required', SAYS.notifySecret)]
      : [fieldError('url', 'secret', SAYS.secretPlace)];
  }),
);

export const limitOrNone = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.union([z.literal(false), strictDocument(shape)], {
    error: `must be \`{ ${Object.keys(shape).join(', ')} }\`, or false for no limit`,
  });

export const accountSchema = strictDocument(() => ({
  rate: z.optional(
    limitOrNone({ per_minute: wholeNumber(1, 1_000_000), burst: z.optional(wholeNumber(1, 1_000_000)) }),
  ),
  per_recipient: z.optional(limitOrNone({ per_hour: wholeNumber(1, 36_000) })),
  timeout: z.optional(duration(100, 2 * MINUTE)),
  retry: z.optional(listOf(duration(100, 7 * DAY), 'durations', { max: 50 })),
  permanent_errors: z.optional(patterns),
  circuit: z.optional(
    strictDocument({ failures: z.optional(wholeNumber(1, 1_000)), probe: z.optional(duration(100, HOUR)) }),
  ),
  retention: z.optional(duration(HOUR, 3_650 * DAY)),
  new_contacts: z.optional(strictDocument({ per_day: wholeNumber(1, 10_000) })),
  digest_above: z.optional(wholeNumber(1, 10_000)),
  notify: z.optional(notifySchema),
  escape: z.optional(strictDocument({ after: z.optional(duration(10_000, DAY)), via: viaSchema })),
  canary: z.optional(
    strictDocument({
      to: z.string({ error: notText }),
      every: z.optional(duration(DAY, 30 * DAY)),
      answer_within: z.optional(duration(MINUTE, DAY - HOUR)),
      at: z.optional(timeOfDay),
      timezone: z.optional(timezone),
      language: z.optional(oneOf(['en', 'de'])),
    }),
  ),
  gateway: z.optional(oneOf(['v2', ...MAKER_IDS, 'http'])),
  base_url: z.optional(textThat(isBaseUrl, SAYS.baseUrl)),
  options: z.optional(recordOf(z.string({ error: notText }), 'must be an object of texts')),
  http: z.optional(httpSchema),
}));

export type AccountDocument = z.output<typeof accountSchema>;

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
}
