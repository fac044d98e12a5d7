import { standingIn } from '../../lib/shares.ts';
import type { EscapePolicy } from '../../config/compiled/escape.ts';
import { isNotifyUrl, type NotifyPolicy } from '../../config/documents/account-schema.ts';
import { iso } from '../../lib/time.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { inTime } from '../../lib/wait.ts';
import { isTaken, post, TIMEOUT_MS } from '../notify/post.ts';
import type { Calls } from '../state/calls.ts';
import { readFact, writeFact } from '../state/facts.ts';
import type { Handed, HandOnAnswer } from '../state/fallback.ts';
import { messageId, type MessageRow } from '../state/message.ts';

/** The content of one call: a message in full, or a summary that begins with it. */
interface ChannelCall {
  readonly text: string;
  readonly row: MessageRow;
  readonly isSummary: boolean;
}

export interface ChannelDeps {
  readonly account: () => string;
  readonly tag: string;
  /** The value of the Worker secret of this name, if it is set and may be an address. */
  readonly secret: (name: string) => string | undefined;
  readonly fetch: typeof fetch;
  readonly calls: Pick<Calls, 'left' | 'spend'>;
  /** The outbox of another account, which takes each message once. */
  readonly outbox: (account: string) => {
    readonly takeHanded: (handed: readonly Handed[]) => Promise<readonly HandOnAnswer[]>;
  };
  readonly clock: () => number;
}

/**
 * Makes one call. Returns the reason why the channel has not taken it, without any secret; null if it has. Never
 * throws.
 */
export const callChannel = (
  deps: ChannelDeps,
  { via }: EscapePolicy,
  call: ChannelCall,
): Promise<string | null> =>
  'account' in via
    ? callAccount(deps, via, call).catch(() => 'it did not answer')
    : callAddress(deps, via, call);

async function callAddress(
  { account, clock, fetch, secret }: ChannelDeps,
  via: NotifyPolicy,
  { text }: ChannelCall,
): Promise<string | null> {
  const address = secret(via.secret ?? '') ?? '';
  if (!isNotifyUrl(address)) return `${via.secret} is not an https address`;
  const notification = { kind: 'message.escaped', account: account(), at: iso(clock()), text } as const;
  const status = await post(notification, via, address, fetch);
  if (isTaken(status)) return null;
  return status === null ? 'it did not answer' : `it answered ${status}`;
}

async function callAccount(
  { account, calls, clock, outbox, tag }: ChannelDeps,
  via: Exclude<EscapePolicy['via'], NotifyPolicy>,
  { text, row, isSummary }: ChannelCall,
): Promise<string | null> {
  const message = messageId(row.seq, tag);
  const phone = via.to ?? row.phone;
  if (phone === null) return 'a status has no receiver';
  const draft: Handed['draft'] = {
    route: row.route,
    kind: 'text',
    phone,
    params: { message: text },
    delayMs: 0,
    expiresMs: null,
    onUncertain: 'retry',
    priority: 'high',
    forget: row.forget === 1,
    isEscape: true,
    from: { account: account(), message },
  };
  const { event_id: event, source, config_version: configVersion } = row;
  const isOpen = standingIn(row) === 'open';
  const origin = { event, source, since: clock(), configVersion, isOpen };
  const id = `escape:${isSummary}:${message}`;
  calls.spend();
  const given = outbox(via.account).takeHanded([{ id, draft, origin }]);
  const [taken] = await inTime(TIMEOUT_MS, given, '');
  return taken !== undefined && 'refusal' in taken ? taken.refusal : null;
}

/** The state of the channel. One row, written with each call, so that a restart changes nothing. */
export interface ChannelState {
  /** The time when its window began (ms), and the number of calls in it. */
  readonly since: number;
  readonly calls: number;
  /** Those for messages of open sources; absent: none. */
  readonly open?: number;
  /** No call is made before this time (ms). */
  readonly againAt: number;
  /** Calls that have failed in a row. */
  readonly failures: number;
  /** The time when the last call ended (ms), and the reason why it failed; `detail` is absent if it did not. */
  readonly last?: { readonly at: number; readonly detail?: string };
}

const FACT = 'escape';
const NEW: ChannelState = { since: 0, calls: 0, againAt: 0, failures: 0 };

export const readChannelState = (sql: SqlStorage): ChannelState =>
  parseOwnJson(readFact(sql, FACT) ?? JSON.stringify(NEW));

export const writeChannelState = (sql: SqlStorage, state: ChannelState): void =>
  writeFact(sql, FACT, JSON.stringify(state));
