import { NEVER_ANSWERED } from '../../gateway/outcome.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { Params } from '../../lib/problem.ts';
import { fallbackLinks } from './fallback.ts';
import { LINKS_LEFT_OUT } from './links.ts';
import type { Attempt, MessageRow, Operation } from './message.ts';
import type { ReasonCode } from './states.ts';

/** Sentences by which reasons differ that are alike in all other columns. */
export const EXPIRED = "older than the route's `expires`";
export const STOPPED = 'the relay stopped before the answer arrived';
export const FALLBACK_REFUSED = 'its fallback was refused: ';

/** The code of a reason, and its values if it has some. */
export interface Reason {
  readonly code: ReasonCode;
  readonly reason: string;
  readonly reason_params?: Params;
}

/**
 * Returns the reason for a message's state with its code, which the rest of its row tells: a column for it would cost
 * each message more. Null: there is no reason. `last`: its last attempt.
 */
export function reasonOf(
  row: Pick<MessageRow, 'state' | 'reason' | 'actions' | 'fallback'>,
  last: Attempt | undefined,
): Reason | null {
  if (row.reason === null) return null;
  const [code, params = {}] = coded({ ...row, reason: row.reason }, last);
  const hasParams = Object.keys(params).length > 0;
  return { code, reason: row.reason, ...(hasParams && { reason_params: params }) };
}

type Coded = readonly [code: ReasonCode, params?: Params];

function coded(
  { state, reason, ...row }: Pick<MessageRow, 'state' | 'actions' | 'fallback'> & { readonly reason: string },
  last: Attempt | undefined,
): Coded {
  if (state === 'cancelled') {
    const { action, by } = parseOwnJson<readonly Partial<Operation>[]>(row.actions).at(-1) ?? {};
    if (action === 'cancel') return ['cancelled', { by: by ?? '' }];
    return ['summarized', { message: reason.slice(reason.lastIndexOf(' ') + 1) }];
  }
  if (state === 'expired') return [reason === EXPIRED ? 'expired' : 'no-first-contact'];
  if (state === 'suppressed') return ['opted-out'];
  if (reason.includes(FALLBACK_REFUSED)) return ['fallback-refused'];
  if (state === 'superseded') {
    const { to } = fallbackLinks(row);
    return to === undefined ? ['outdated'] : ['handed-on', { account: to.account }];
  }
  if (state === 'sent' || last?.detail === undefined || !reason.startsWith(last.detail))
    return [reason === LINKS_LEFT_OUT ? 'no-links' : 'other-text'];
  const params = {
    ...(last.http_status !== undefined && { status: String(last.http_status) }),
    ...(state === 'dead' && { attempts: String(last.n) }),
  };
  return [codeOf(last), params];
}

function codeOf({ outcome, http_status: status, detail }: Attempt): ReasonCode {
  switch (outcome) {
    case 'unauthorized':
      return status === undefined ? 'login-missing' : outcome;
    case 'rejected':
      return status === undefined ? 'not-sendable' : outcome;
    case 'server_error':
      return 'server-error';
    case 'sent':
    case 'uncertain':
      if (detail === STOPPED) return 'interrupted';
      return status === undefined || NEVER_ANSWERED.has(status) ? 'no-answer' : 'unclear-answer';
    case 'refused':
    case 'forbidden':
    case 'redirected':
    case 'busy':
    case 'unreachable':
      return outcome;
  }
}
