import { fieldError } from '../../lib/problem.ts';
import * as z from 'zod/mini';
import { DAY } from '../../lib/duration.ts';
import {
  duration,
  notText,
  oneOf,
  secretName,
  strictDocument,
  withoutConflicts,
} from '../../schema/parts.ts';
import { ESCAPE_KINDS } from './account-defaults.ts';

/** The channel: an address in a secret, or another account. */
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

/** The channel for urgent messages that are not sent. */
export const escapeSchema = strictDocument({
  after: z.optional(duration(10_000, DAY)),
  via: viaSchema,
});

export type EscapeDocument = z.output<typeof escapeSchema>;
