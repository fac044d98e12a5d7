import type { AccountPolicy, EscapePolicy } from '../../config/compiled/config.ts';
import { isNotifyUrl, type NotifyPolicy } from '../../config/documents/account-schema.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { log } from '../../lib/log.ts';
import { numberOf, standingIn } from '../../lib/shares.ts';
import { MINUTE, iso } from '../../lib/time.ts';
import { inTime } from '../../lib/wait.ts';
import { RETRY_MS, TIMEOUT_MS, isTaken, post } from '../notify/post.ts';
import { readFact, writeFact } from '../state/meta.ts';
import { originOf, type Handed, type HandOnAnswer } from '../state/fallback.ts';
import { languageOf } from '../state/event.ts';
import { messageRow, type MessageRow, messageId } from '../state/message.ts';
import { inBackground, type Now, type Wiring } from '../state/wiring.ts';
import { escapeText } from '../../render/built-in-text.ts';

/** In each window (ms), so many messages go to the channel in full, followed by one summary. */
const WINDOW_MS = 10 * MINUTE;
const WHOLE = 10;
/** So many calls of these are for messages of open sources; the last one has the rest of them in a summary. */
const OPEN = 5;

const QUOTED = 5;

/** A message whose call is under way is checked again after this (ms). */
const UNDER_WAY_MS = 5_000;

/** A call whose object stopped meanwhile is made again after this (ms). */
const LEASE_MS = 2 * TIMEOUT_MS;

/** Not sent, and the channel does not have it. For a dead one with a fallback, the fallback is responsible. */
const IS_OWED = `escaped IS NULL AND (state IN ('queued', 'retrying', 'uncertain')
  OR state = 'dead' AND coalesce(fallback ->> 'by', fallback ->> 'to') IS NULL)`;

type Escaped = Pick<MessageRow, 'seq' | 'source' | 'route' | 'phone'>;

interface Incidents {
  escaped(rows: readonly Escaped[]): void;
}

/** The state of the channel. One row, written with each call, so that a restart changes nothing. */
interface ChannelState {
  /** When its window began (ms), and the number of calls in it. */
  readonly since: number;
  readonly calls: number;
  /** Those for messages of open sources; absent: none. */
  readonly open?: number;
  /** No call is made before this time (ms). */
  readonly againAt: number;
  readonly failures: number;
  /** When the last call ended (ms), and why it failed; `detail` is absent if it did not. */
  readonly last?: { readonly at: number; readonly detail?: string };
}

const FACT = 'escape';
const NEW: ChannelState = { since: 0, calls: 0, againAt: 0, failures: 0 };

interface EscapesDeps extends Wiring {
  /** The outbox of another account, which takes each message once. */
  readonly outbox: (account: string) => {
    takeHanded(handed: readonly Handed[]): Promise<readonly HandOnAnswer[]>;
  };
  /** The policy as it was last read, and as it is in force; the language of a source, once that was read. */
  readonly config: {
    readonly last: Pick<AccountPolicy, 'escape'> | null;
    policy(): Promise<Pick<AccountPolicy, 'escape'>>;
    localeOf(source: string | null): string;
  };
  readonly claims: {
    readonly flight: { has(seq: number): boolean };
    readonly counters: { escape(outcome: 'taken' | 'failed', messages: number): void };
  };
}

/** Gets urgent messages that are not sent for too long, once; a row has the time. The message itself stays. */
export class Escapes {
  readonly #deps: EscapesDeps;
  #state: ChannelState;
  /** Nothing is due before this time (ms); Infinity if there is no row. */
  #lookAt: number;
  /** True while messages may have been queued before the account's policy was known. */
  #isBehind = true;
  readonly #background: ReturnType<typeof inBackground>;

  constructor(deps: EscapesDeps) {
    this.#deps = deps;
    this.#state = parseOwnJson(readFact(deps.sql, FACT) ?? JSON.stringify(NEW));
    this.#lookAt = this.#firstAt();
    this.#background = inBackground(deps, 'escape.failed', () => this.nextAt());
  }

  get state(): Pick<ChannelState, 'failures' | 'last'> {
    return this.#state;
  }

  nextAt(): number | null {
    if (this.#lookAt < Infinity) this.#lookAt = Math.max(this.#lookAt, this.#firstAt());
    return this.#lookAt === Infinity ? null : Math.max(this.#lookAt, this.#state.againAt);
  }

  /** Urgent messages were queued. To be called in the transaction that queues them: both or neither. */
  watch(rows: readonly Pick<MessageRow, 'seq' | 'priority' | 'created_at' | 'next_at' | 'escaped'>[]): void {
    const { last } = this.#deps.config;
    this.#isBehind ||= last === null;
    const escape = last?.escape ?? null;
    if (escape === null) return;
    for (const { seq, priority, created_at, next_at, escaped } of rows) {
      if (priority !== 1 || escaped !== null) continue;
      const at = Math.max(created_at, next_at ?? 0) + escape.afterMs;
      this.#deps.sql.exec('INSERT OR IGNORE INTO escapes (seq, at) VALUES (?, ?)', seq, at);
      this.#lookAt = Math.min(this.#lookAt, at);
    }
  }

  /** Messages that wait already may go to a channel that was not known when they were queued. */
  watchAll(): void {
    const { last } = this.#deps.config;
    this.#isBehind = last === null;
    const escape = last?.escape ?? null;
    if (escape === null) return;
    this.#deps.sql.exec(
      `INSERT OR IGNORE INTO escapes (seq, at) SELECT seq, max(created_at, iif(attempts = '[]', next_at, 0)) + ? FROM messages
         WHERE standing IN (${numberOf('urgent')}, ${numberOf('open')}) AND priority = 1 AND next_at IS NOT NULL AND escaped IS NULL`,
      escape.afterMs,
    );
    this.#lookAt = 0;
  }

  forget({ seq, priority }: Pick<MessageRow, 'seq' | 'priority'>): void {
    if (priority === 1 && this.#lookAt < Infinity) this.#delete([seq]);
  }

  /** A dead message is followed by its fallback, which keeps the rest of its time. */
  follow(seq: number, by: number): void {
    if (this.#lookAt < Infinity)
      this.#deps.sql.exec('UPDATE OR IGNORE escapes SET seq = ? WHERE seq = ?', by, seq);
  }

  /** A commit was made, or the alarm has come: sends what is due, in the background. `now` makes a change. */
  send(now: Now, incidents: Incidents): void {
    const { alarm, calls, clock, config, sql } = this.#deps;
    if (this.#isBehind && config.last !== null) this.watchAll();
    if (this.#lookAt === Infinity || this.#background.isRunning) return;
    const at = Math.max(this.#lookAt, this.#state.againAt);
    if (at > clock()) return alarm.bringForward(at);
    this.#background.start(async () => {
      this.#lookAt = 0;
      try {
        const { escape } = await config.policy();
        if (escape === null) sql.exec('DELETE FROM escapes');
        else while (calls.left > 0 && (await this.#next(escape, now, incidents)));
      } catch (thrown) {
        this.#keep({ againAt: clock() + LEASE_MS });
        throw thrown;
      }
    });
  }

  /** Sends a text about a message. True if the channel has taken it, or there is none. */
  async report(seq: number, text: string): Promise<boolean> {
    const { escape } = await this.#deps.config.policy();
    const row = messageRow(this.#deps, seq);
    if (escape === null || row === null) return true;
    return (await this.#call(escape, text, row, false)) === null;
  }

  /** Makes the next call. False if no further one may be made now. */
  async #next(escape: EscapePolicy, now: Now, incidents: Incidents): Promise<boolean> {
    const { account, claims, clock, config, sql } = this.#deps;
    const at = clock();
    const due = this.#due(at);
    const rows = due.slice(0, QUOTED).flatMap((seq) => messageRow({ sql }, seq) ?? []);
    const [row] = rows;
    if (row === undefined) return false;
    const isNew = Math.abs(at - this.#state.since) >= WINDOW_MS;
    const { failures } = this.#state;
    const { since, calls, open = 0 } = isNew ? { since: at, calls: 0 } : this.#state;
    const isOpen = standingIn(row) === 'open';
    if (calls > WHOLE) {
      this.#keep({ againAt: since + WINDOW_MS });
      return false;
    }
    if (isOpen && open >= OPEN) {
      this.#waitForOthers(at);
      return false;
    }
    const isLast = calls === WHOLE || (isOpen && open === OPEN - 1);
    const isSummary = due.length > 1 && (isLast || failures > RETRY_MS.length);
    const seqs = isSummary ? due : [row.seq];
    this.#keep({ since, calls: calls + 1, open: open + (isOpen ? 1 : 0), againAt: at + LEASE_MS });
    const locale = languageOf(sql, row.event_id) ?? config.localeOf(row.source);
    const text = escapeText(isSummary ? rows : [row], seqs.length, locale);
    const fault = await this.#call(escape, text, row, isSummary);
    const isTaken = fault === null;
    now(() => {
      const last = { at: clock(), ...(!isTaken && { detail: fault }) };
      const wait = isTaken ? 0 : (RETRY_MS[failures] ?? WINDOW_MS);
      this.#keep({ failures: isTaken ? 0 : failures + 1, againAt: last.at + wait, last });
      claims.counters.escape(isTaken ? 'taken' : 'failed', isTaken ? seqs.length : 1);
      if (isTaken) incidents.escaped(this.#taken(seqs));
      // After this number of failures in a row, each message is tried once.
      else if (failures >= RETRY_MS.length) this.#delete(seqs);
    });
    const line = { account: account(), messages: seqs.length };
    if (isTaken) log('warn', 'escape.sent', line);
    else log('error', 'escape.refused', { ...line, detail: fault });
    return isTaken;
  }

  /** Messages of open sources have used their calls: only another one is sent before the window ends. */
  #waitForOthers(now: number): void {
    const other = this.#deps.sql
      .exec<{ at: number | null }>(
        `SELECT min(at) AS at FROM escapes JOIN messages USING (seq) WHERE at > ? AND standing <> ${numberOf('open')}`,
        now,
      )
      .one().at;
    // What is under way is looked at sooner.
    this.#lookAt = Math.min(this.#lookAt || Infinity, this.#state.since + WINDOW_MS, other ?? Infinity);
  }

  /** Returns the messages that are due, oldest first, those of open sources last. Those that are over are watched no more. */
  #due(at: number): readonly number[] {
    const { claims, sql } = this.#deps;
    sql.exec(
      `DELETE FROM escapes WHERE at <= ? AND NOT EXISTS (SELECT 1 FROM messages AS m WHERE m.seq = escapes.seq AND ${IS_OWED})`,
      at,
    );
    const query = `SELECT seq FROM escapes JOIN messages USING (seq) WHERE at <= ? ORDER BY standing = ${numberOf('open')}, at, seq`;
    const all = sql.exec<{ seq: number }>(query, at).toArray();
    const due = all.flatMap(({ seq }) => (claims.flight.has(seq) ? [] : [seq]));
    if (due.length < all.length) this.#lookAt = at + UNDER_WAY_MS;
    return due;
  }

  /** The channel has taken these messages; this also covers the fallbacks that followed dead ones meanwhile. */
  #taken(seqs: readonly number[]): readonly Escaped[] {
    const { clock, sql } = this.#deps;
    const taken = sql
      .exec<Escaped>(
        `UPDATE messages SET escaped = ?1 WHERE seq IN (SELECT value FROM json_each(?2)
           UNION SELECT fallback ->> 'by' FROM messages WHERE seq IN (SELECT value FROM json_each(?2)))
         RETURNING seq, source, route, phone`,
        clock(),
        JSON.stringify(seqs),
      )
      .toArray();
    this.#delete(taken.map(({ seq }) => seq));
    return taken;
  }

  #delete(seqs: readonly number[]): void {
    const query = 'DELETE FROM escapes WHERE seq IN (SELECT value FROM json_each(?))';
    this.#deps.sql.exec(query, JSON.stringify(seqs));
  }

  #firstAt(): number {
    const { sql } = this.#deps;
    return sql.exec<{ at: number | null }>('SELECT min(at) AS at FROM escapes').one().at ?? Infinity;
  }

  #keep(change: Partial<ChannelState>): void {
    this.#state = { ...this.#state, ...change };
    writeFact(this.#deps.sql, FACT, JSON.stringify(this.#state));
  }

  /** Returns the reason why the channel has not taken a text, without any secret; null if it has. Never throws. */
  async #call({ via }: EscapePolicy, text: string, row: MessageRow, isSummary: boolean) {
    const { account, clock, fetch, secret } = this.#deps;
    if ('account' in via) return this.#hand(via, text, row, isSummary).catch(() => 'it did not answer');
    const address = secret(via.secret ?? '') ?? '';
    if (!isNotifyUrl(address)) return `${via.secret} is not an https address`;
    const notification = { kind: 'message.escaped', account: account(), at: iso(clock()), text } as const;
    const status = await post(notification, via, address, fetch);
    if (isTaken(status)) return null;
    return status === null ? 'it did not answer' : `it answered ${status}`;
  }

  async #hand(
    via: Exclude<EscapePolicy['via'], NotifyPolicy>,
    text: string,
    row: MessageRow,
    isSummary: boolean,
  ) {
    const { account, calls, clock, outbox, tag } = this.#deps;
    const message = messageId(row.seq, tag);
    const phone = via.to ?? row.phone;
    if (phone === null) return 'a status has no receiver';
    const draft: Handed['draft'] = {
      route: row.route,
      kind: 'text',
      phone,
      params: { message: text },
      priority: 'high',
      forget: row.forget === 1,
      isEscape: true,
      from: { account: account(), message },
    };
    const id = `escape:${isSummary}:${message}`;
    calls.spend();
    const given = outbox(via.account).takeHanded([{ id, draft, origin: originOf(row, clock()) }]);
    const [taken] = await inTime(TIMEOUT_MS, given, '');
    return taken !== undefined && 'refusal' in taken ? taken.refusal : null;
  }
}
