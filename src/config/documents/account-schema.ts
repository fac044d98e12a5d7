import * as z from 'zod/mini';
import { fieldError } from '../../lib/problem.ts';
import { MAKER_IDS } from '../../gateway/makers/ids.ts';
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
} from '../../schema/parts.ts';
import { timeOfDay, timezone } from './alerting-schema.ts';
import { httpSchema, patterns } from './gateway-schema.ts';
import { ESCAPE_KINDS } from './account-defaults.ts';
import { isLoopback } from '../../lib/url.ts';

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
      return [fieldError('', 'conflict', 'needs `kind` and `secret`, or `account`')];
    if (account !== undefined && (kind ?? secret) !== undefined)
      return [fieldError('account', 'conflict', 'cannot be combined with `kind` and `secret`')];
    return account === undefined && to !== undefined
      ? [fieldError('to', 'misplaced', 'works only with `account`')]
      : [];
  }),
);

export const escapeSchema = strictDocument({
  after: z.optional(duration(10_000, DAY)),
  via: viaSchema,
});

export type EscapeDocument = z.output<typeof escapeSchema>;

const canarySchema = strictDocument({
  to: z.string({ error: notText }),
  every: z.optional(duration(DAY, 30 * DAY)),
  answer_within: z.optional(duration(MINUTE, DAY - HOUR)),
  at: z.optional(timeOfDay),
  timezone: z.optional(timezone),
  language: z.optional(oneOf(['en', 'de'])),
});

const notifySchema = strictDocument({
  url: z.string({ error: mustBe('an https URL') }).check(
    z.refine(isNotifyUrl, {
      error: 'must be an https URL (http only to this machine); write `{secret}` where its secret part goes',
    }),
  ),
  secret: z.optional(secretName),
  format: z.optional(oneOf(['json', 'slack', 'discord', 'ntfy'])),
}).check(
  withoutConflicts(({ url, secret }) => {
    const hasPlace = url.includes('{secret}');
    if (hasPlace === (secret !== undefined)) return [];
    return hasPlace
      ? [
          fieldError(
            'secret',
            'required',
            'is required: name the Worker secret that replaces `{secret}` in `url`',
          ),
        ]
      : [fieldError('url', 'secret', 'must contain `{secret}` where the secret goes')];
  }),
);

export const accountSchema = strictDocument({
  rate: z.optional(
    z.union(
      [
        z.literal(false),
        strictDocument({
          per_minute: wholeNumber(1, 1_000_000),
          burst: z.optional(wholeNumber(1, 1_000_000)),
        }),
      ],
      {
        error: 'must be `{ per_minute, burst }`, or false for no limit',
      },
    ),
  ),
  per_recipient: z.optional(
    z.union([z.literal(false), strictDocument({ per_hour: wholeNumber(1, 36_000) })], {
      error: 'must be `{ per_hour }`, or false for no limit',
    }),
  ),
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
  escape: z.optional(escapeSchema),
  canary: z.optional(canarySchema),
  gateway: z.optional(oneOf(['v2', ...MAKER_IDS, 'http'])),
  base_url: z.optional(
    z.string({ error: notText }).check(
      z.refine(isBaseUrl, {
        error: 'must be an http(s) address without a query, such as https://chat.example.com',
      }),
    ),
  ),
  options: z.optional(recordOf(z.string({ error: notText }), 'must be an object of texts')),
  http: z.optional(httpSchema),
});

export type AccountDocument = z.output<typeof accountSchema>;

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
}
