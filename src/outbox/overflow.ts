import { type LoadedConfig, inLanguage, isSuppressed } from '../config/compiled/config.ts';
import { parseOwnJson } from '../lib/json.ts';
import { standingIn } from '../lib/shares.ts';
import type { Base } from './base.ts';
import { rulesOf } from './incidents/rules.ts';
import type { Messages } from './message.ts';
import type { About, DraftMessage } from './state/acceptance.ts';
import { languageOf } from './state/event.ts';
import { messageId, messageRow, type MessageRow } from './state/message.ts';
import { inBackground, type Now } from './state/wiring.ts';
import { NAMED_WAITING, plainWaiting } from '../render/built-in-text.ts';
import type { Locale } from '../template/basics/locale.ts';

/** Makes one digest of the messages that wait for a receiver when there are more than `digest_above`. */
export class Overflow {
  readonly #parts: Base & { readonly messages: Messages };
  readonly #background: ReturnType<typeof inBackground>;

  constructor(parts: Base & { readonly messages: Messages }) {
    this.#parts = parts;
    this.#background = inBackground(parts, 'outbox.digest.failed');
  }

  /** To be called after each change: too many messages may wait now. `now` makes a change. */
  look(now: Now): void {
    const { claims, clock, config } = this.#parts;
    const limit = config.policyNow(clock())?.digestAbove ?? null;
    if (limit === null) return;
    this.#background.start(async () => {
      // If an account is paused, nothing else reads its rows.
      claims.queue.load(clock());
      if (claims.queue.turns.crowded(limit).size === 0) return;
      const loaded = await config.read();
      const { digestAbove: above } = config.policyIn(loaded);
      if (above === null) return;
      const crowded = claims.queue.turns.crowded(above);
      // Some are added meanwhile, and come last.
      for (const phone of crowded) {
        crowded.delete(phone);
        // Other calls are served between its steps.
        while (now(() => this.#fold(phone, above, loaded)))
          await new Promise((resolve) => setTimeout(resolve));
      }
    });
  }

  /** Returns true if something was counted, so that there may be more. */
  #fold(phone: string, above: number, config: LoadedConfig): boolean {
    const { sql, tag, claims, messages, clock } = this.#parts;
    // A digest belongs to no route, so it would be suppressed together with transactional messages.
    if (isSuppressed(config, phone)) return false;
    // Reads the digest of the last step, if there is one.
    claims.queue.load(clock());
    const seqs = claims.queue.turns.waitingFor(phone);
    if (seqs.length <= above) return false;
    const now = clock();
    const rows = sql.exec<FoldableRow>(WAITING, JSON.stringify(seqs), now, above + 1 + STEP).toArray();
    const counted = rows.filter(({ about }) => about === null);
    const newest = messageRow({ sql }, counted.at(-1)?.seq ?? 0);
    if (newest === null || counted.length <= above) return false;
    const rules = rulesOf(config, { source: newest.source ?? '', route: newest.route ?? '', phone }, now);
    const { locale } = inLanguage(rules, languageOf(sql, newest.event_id));
    const digest = rows.find(({ about }) => about !== null);
    const { draft, origin } = digestOf(sql, counted, digest, { newest, locale, now });
    const end = (by: number): void => {
      const reason = { code: 'summarized', params: { message: messageId(by, tag) } } as const;
      // One after the other, since rows can be large.
      for (const { seq } of counted) {
        const row = messageRow({ sql }, seq);
        if (row !== null) messages.end(row, { state: 'cancelled', reason });
      }
    };
    if (digest === undefined) return messages.queue({ drafts: [draft], origin }, end) !== null;
    messages.change(() => {
      end(digest.seq);
      messages.rewrite({ seq: digest.seq }, draft, origin);
    });
    claims.queue.changed(now);
    return true;
  }
}

/** One step adds so many messages to a digest, beyond those that may wait. */
const STEP = 1_000;

/** The columns that are read of each message; its parameters may be long. */
type FoldableRow = Pick<
  MessageRow,
  'seq' | 'on_uncertain' | 'expires_at' | 'created_at' | 'forget' | 'about'
>;

/** Never tried, of normal priority, not about incidents, and nobody waits for their end. Their digest comes first. */
const WAITING = `SELECT seq, on_uncertain, expires_at, created_at, forget, about
  FROM messages WHERE seq IN (SELECT value FROM json_each(?)) AND state = 'queued' AND attempts = '[]' AND next_at IS NULL
    AND priority = 0 AND (expires_at IS NULL OR expires_at > ?)
    AND (about IS NULL OR json_extract(about, '$.summarized') IS NOT NULL) AND says IS NULL
    AND fallback ->> '$.reports' IS NULL AND (links IS NULL OR source IS NOT NULL)
  ORDER BY about IS NULL, seq LIMIT ?`;

/** Takes the place of messages, and of the digest of earlier ones if that waits, too. */
function digestOf(
  sql: SqlStorage,
  counted: readonly FoldableRow[],
  digest: FoldableRow | undefined,
  { newest, locale, now }: { readonly newest: MessageRow; readonly locale: Locale; readonly now: number },
) {
  const before = parseOwnJson<About | null>(digest?.about ?? 'null');
  const all = digest === undefined ? counted : [...counted, digest];
  const count = counted.length + (before?.summarized ?? 0);
  const since = before?.since ?? new Date(counted[0]?.created_at ?? now).toISOString();
  const texts = counted.slice(-NAMED_WAITING).map(({ seq }) => paramsOf(sql, seq));
  const known = digest === undefined ? null : (paramsOf(sql, digest.seq)['message'] ?? null);
  const message = plainWaiting({ count, since, texts, before: known }, locale);
  const expiresAt = Math.max(...all.map(({ expires_at: at }) => at ?? Infinity));
  const values = {
    // Valid as long as any of the messages would have been, and as careful as the most careful one.
    expiresMs: expiresAt === Infinity ? null : expiresAt - now,
    onUncertain: all.some((row) => row.on_uncertain === 'hold') ? ('hold' as const) : ('retry' as const),
    forget: all.some(({ forget }) => forget === 1),
  };
  const none = { new: 0, resolved: 0, firing: 0, incidents: [] };
  const about: About = { form: 'digest', why: 'digest', ...none, summarized: count, since };
  const { source, phone, config_version: configVersion } = newest;
  // All are of one line.
  const isOpen = standingIn(newest) === 'open';
  const draft: DraftMessage = { route: null, kind: 'text', phone, params: { message }, ...values, about };
  return { draft, origin: { event: null, source, since: now, configVersion, isOpen } };
}

const paramsOf = (sql: SqlStorage, seq: number): Readonly<Record<string, string>> =>
  parseOwnJson(sql.exec<{ params: string }>('SELECT params FROM messages WHERE seq = ?', seq).one().params);
