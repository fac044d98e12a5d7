import { standingIn } from '../../lib/shares.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { NAMED_WAITING, plainWaiting } from '../../render/plain-waiting.ts';
import type { Locale } from '../../template/basics/locale.ts';
import type { About, Drafts } from '../state/acceptance.ts';
import type { MessageRow } from '../state/message.ts';

/** The maximum number of messages that one step adds to a digest, beyond those that may wait. */
const STEP = 1_000;

/** The columns that are read of each message; its parameters may be long. */
export type FoldableRow = Pick<
  MessageRow,
  | 'seq'
  | 'event_id'
  | 'source'
  | 'route'
  | 'phone'
  | 'on_uncertain'
  | 'expires_at'
  | 'created_at'
  | 'config_version'
  | 'forget'
  | 'about'
  | 'standing'
>;

/** Messages that wait for one receiver, and the digest that counts them. */
export interface Fold {
  readonly counted: readonly FoldableRow[];
  /** The number of the digest that already waits; null if there is none. */
  readonly digest: number | null;
  readonly message: Drafts;
}

interface FoldContext {
  readonly sql: SqlStorage;
  readonly now: number;
  /** Returns the locale of the source with the newest message. */
  readonly localeOf: (newest: FoldableRow) => Locale;
}

/**
 * Messages that were never tried, of normal priority, that say nothing of incidents, and whose end nobody waits for:
 * neither another account nor the canary, which has links and no source. The digest of such messages comes first.
 */
const WAITING = `SELECT seq, event_id, source, route, phone, on_uncertain, expires_at, created_at, config_version, forget, about, standing
  FROM messages WHERE seq IN (SELECT value FROM json_each(?)) AND state = 'queued' AND attempts = '[]' AND next_at IS NULL
    AND priority = 0 AND (expires_at IS NULL OR expires_at > ?)
    AND (about IS NULL OR json_extract(about, '$.summarized') IS NOT NULL) AND says IS NULL
    AND fallback ->> '$.reports' IS NULL AND (links IS NULL OR source IS NOT NULL)
  ORDER BY about IS NULL, seq LIMIT ?`;

/**
 * Makes a digest of the messages that wait for a receiver, if there are more of them than `above`. A digest that
 * already waits counts them as well. Null if there are not more. `seqs`: their numbers; some of these may not wait any
 * more.
 */
export function fold(context: FoldContext, seqs: readonly number[], above: number): Fold | null {
  const { sql, now } = context;
  const rows = sql.exec<FoldableRow>(WAITING, JSON.stringify(seqs), now, above + 1 + STEP).toArray();
  const counted = rows.filter(({ about }) => about === null);
  const digest = rows.find(({ about }) => about !== null);
  const newest = counted.at(-1);
  if (newest === undefined || counted.length <= above) return null;
  const before = parseOwnJson<About | null>(digest?.about ?? 'null');
  const all = digest === undefined ? counted : [...counted, digest];
  const count = counted.length + (before?.summarized ?? 0);
  const since = before?.since ?? new Date(counted[0]?.created_at ?? now).toISOString();
  const texts = counted.slice(-NAMED_WAITING).map(({ seq }) => paramsOf(sql, seq));
  const known = digest === undefined ? null : (paramsOf(sql, digest.seq)['message'] ?? null);
  const message = plainWaiting({ count, since, texts, before: known }, context.localeOf(newest));
  const expiries = all.map(({ expires_at: at }) => at ?? Infinity);
  const expiresAt = Math.max(...expiries);
  const values = {
    // Valid as long as any of the messages would have been, and as careful as the most careful one.
    expiresMs: expiresAt === Infinity ? null : expiresAt - now,
    onUncertain: all.some((row) => row.on_uncertain === 'hold') ? ('hold' as const) : ('retry' as const),
    forget: all.some(({ forget }) => forget === 1),
  };
  const about: About = {
    form: 'digest',
    why: 'digest',
    new: 0,
    resolved: 0,
    firing: 0,
    incidents: [],
    summarized: count,
    since,
  };
  const { source, phone, config_version: configVersion } = newest;
  // All are of one line.
  const isOpen = standingIn(newest) === 'open';
  const draft = {
    route: null,
    kind: 'text' as const,
    phone,
    params: { message },
    delayMs: 0,
    priority: 'normal' as const,
  };
  return {
    counted,
    digest: digest?.seq ?? null,
    message: {
      drafts: [{ ...draft, ...values, about }],
      origin: { event: null, source, since: now, configVersion, isOpen },
    },
  };
}

const paramsOf = (sql: SqlStorage, seq: number): Readonly<Record<string, string>> =>
  parseOwnJson(sql.exec<{ params: string }>('SELECT params FROM messages WHERE seq = ?', seq).one().params);
