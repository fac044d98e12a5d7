import {
  type AccountPolicy,
  type LoadedConfig,
  inLanguage,
  isSuppressed,
} from '../../config/compiled/config.ts';
import { describeError, log } from '../../lib/log.ts';
import { rulesOf } from '../incidents/rules.ts';
import { languageOf } from '../state/language.ts';
import type { Queue } from '../send/queue.ts';
import type { Drafts } from '../state/acceptance.ts';
import { messageId, messageRow, type End, type MessageRow } from '../state/message.ts';
import { fold, type FoldableRow } from './fold.ts';

interface OverflowDeps {
  readonly sql: SqlStorage;
  /** The outbox's random tag, part of each message id. */
  readonly tag: string;
  readonly claims: { readonly queue: Queue };
  readonly config: {
    /** Returns the policy; null if it has to be read. */
    policyNow(now: number): Pick<AccountPolicy, 'digestAbove'> | null;
    read(): Promise<LoadedConfig>;
    policyIn(config: LoadedConfig): Pick<AccountPolicy, 'digestAbove'>;
  };
  /** Queue a message, or change one that waits; `also` writes in the same transaction. Null: there is no space. */
  readonly messages: {
    queue(message: Drafts, also: (seq: number) => void): number | null;
    replace(seq: number, message: Drafts, also: () => void): number;
    end(row: MessageRow, end: End): void;
  };
  readonly account: () => string;
  readonly clock: () => number;
}

/**
 * Makes one digest of the messages that wait for a receiver when there are more than `digest_above`. Costs nothing in
 * an account without that.
 */
export class Overflow {
  readonly #deps: OverflowDeps;
  #isAsked = false;

  constructor(deps: OverflowDeps) {
    this.#deps = deps;
  }

  /** To be called after each change: too many messages may wait now. `now` makes a change. Never throws. */
  async look(now: <Done>(change: () => Done) => Done): Promise<void> {
    const { account, claims, clock, config } = this.#deps;
    const limit = config.policyNow(clock())?.digestAbove ?? null;
    if (limit === null || this.#isAsked) return;
    this.#isAsked = true;
    try {
      // If an account is paused, nothing else reads its rows.
      claims.queue.load(clock());
      if (!claims.queue.turns.isCrowded(limit)) return;
      const loaded = await config.read();
      const { digestAbove: above } = config.policyIn(loaded);
      if (above === null) return;
      const taken = (): readonly string[] => claims.queue.turns.takeCrowded(above);
      for (let phones = taken(); phones.length > 0; phones = taken())
        for (const phone of phones)
          // Other calls are served between its steps.
          while (now(() => this.#fold(phone, above, loaded)))
            await new Promise((resolve) => setTimeout(resolve));
    } catch (thrown) {
      log('error', 'outbox.digest.failed', { account: account(), error: describeError(thrown) });
    } finally {
      this.#isAsked = false;
    }
  }

  /** Returns true if something was counted, so that there may be more. */
  #fold(phone: string, above: number, config: LoadedConfig): boolean {
    const { sql, tag, claims, messages, clock } = this.#deps;
    // A digest belongs to no route, so it would be suppressed together with transactional messages.
    if (isSuppressed(config, phone)) return false;
    // Reads the digest of the last step, if there is one.
    claims.queue.load(clock());
    const seqs = claims.queue.turns.waitingFor(phone);
    if (seqs.length <= above) return false;
    const localeOf = ({ source, route, event_id }: FoldableRow) =>
      inLanguage(
        rulesOf(config, { source: source ?? '', route: route ?? '', phone }, clock()),
        languageOf(sql, event_id),
      ).locale;
    const made = fold({ sql, now: clock(), localeOf }, seqs, above);
    if (made === null) return false;
    const { counted, digest, message } = made;
    const end = (by: number): void => {
      const reason = `summarized in ${messageId(by, tag)}`;
      // One after the other, since rows can be large.
      for (const { seq } of counted) {
        const row = messageRow({ sql }, seq);
        if (row !== null) messages.end(row, { state: 'cancelled', reason });
      }
    };
    return digest === null
      ? messages.queue(message, end) !== null
      : messages.replace(digest, message, () => end(digest)) === digest;
  }
}
