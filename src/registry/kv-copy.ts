import { DAY } from '../lib/time.ts';
import { describeError, log } from '../lib/log.ts';
import { kvIntervalMs } from '../lib/shares.ts';
import { CURRENT_KEY, versionKey, type Published, type BesideSet } from '../config/load.ts';
import { replaceRow } from '../lib/store.ts';
import { type SqlRow, Tables } from './schema.ts';
import { inUse, type Versions } from './versions.ts';

/** KV allows one write a second to the same key. The wait doubles from here … */
const FIRST_RETRY_MS = 1_000;
/** … to here. If the free plan refuses writes for the rest of the day, that makes about 150 tries and not thousands. */
const MAX_RETRY_MS = 600_000;

/** The version in force, and each part of its overlay as JSON; absent: there is nothing in it. */
export interface CopiedVersion
  extends Pick<Published, 'activation' | 'version'>, Partial<Record<keyof BesideSet, string | undefined>> {}

/** The copy's source: the registry, whose tables are authoritative. */
interface CopySource {
  readonly kv: KVNamespace;
  readonly active: () => CopiedVersion;
  /** Null if there is none. Within one, KV gets no document. */
  readonly jurisdiction: string | null;
  readonly documents: (version: number) => string | null;
  /** Sets an alarm for {@link KvCopy.run} at this time (ms), in the surrounding commit; null if KV has everything. */
  readonly wakeAt: (at: number | null) => void;
  readonly clock: () => number;
}

interface Copied extends SqlRow {
  /** KV has every version up to this one. */
  version: number;
  /** The activation under the current key. */
  activation: number;
  /** The time of the last write to that key (ms), and the number of writes of its day (UTC). */
  at: number;
  writes: number;
}

/**
 * Copies each version, and then the one in force, to KV, where webhooks read them. A row records what KV has, and an
 * alarm is set until it has everything: a failed write, a crash or an eviction loses nothing.
 */
export class KvCopy extends Tables<CopySource> {
  #running: Promise<void> | null = null;
  /** The run under way does not end before KV has this activation. */
  #wanted = 0;
  /** When a change of the overlay is written (ms), and if one waits for it. Not stored: a new object has had a quiet time. */
  #overlayAt = 0;
  #isWaiting = false;

  /** To be called in the synchronous block that commits a change, so that the alarm is committed with it. */
  arm(): void {
    this.others.wakeAt(this.#afterFailures(this.#retry.failures));
  }

  get retryAt(): number {
    const ms = this.#togetherMs;
    // After too many writes of a day, the time of the last one counts, also that of an earlier object.
    const besideAt = ms > kvIntervalMs(0) ? this.#copied().at + ms : this.#overlayAt;
    // A clock that was set back does not prolong the wait.
    return Math.max(this.#retry.at, Math.min(besideAt, this.others.clock() + ms));
  }

  get #togetherMs(): number {
    return kvIntervalMs(this.#writesToday);
  }

  get #writesToday(): number {
    const { at, writes } = this.#copied();
    return dayOf(at) === dayOf(this.others.clock()) ? writes : 0;
  }

  get #retry(): { readonly failures: number; readonly at: number } {
    return this.row('SELECT failures, at FROM copy_retry') ?? { failures: 0, at: this.others.clock() };
  }

  #afterFailures(failures: number): number {
    return this.others.clock() + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
  }

  get hasFailed(): boolean {
    return this.#retry.failures > 0;
  }

  get isBehind(): boolean {
    return this.#missing() !== null;
  }

  /**
   * Never throws: the alarm copies what is left. Calls while a copy is under way wait for it, and it includes their
   * commits.
   */
  run(): Promise<void> {
    this.#wanted = this.others.active().activation;
    if (this.#isWaiting) this.#overlayAt = this.others.clock() + this.#togetherMs;
    this.#isWaiting = false;
    this.#running ??= this.#run();
    return this.#running;
  }

  /**
   * At once after a quiet time, otherwise with all others of the next seconds, at few writes. To be called like {@link
   * arm}.
   */
  async runSoon(): Promise<void> {
    const { clock, wakeAt } = this.others;
    const at = this.#running === null ? this.retryAt : clock() + this.#togetherMs;
    this.#isWaiting = true;
    // The clock is read again: without a wait, `at` is the time of a moment ago.
    if (at > clock()) return wakeAt(at);
    this.arm();
    return this.run();
  }

  async #run(): Promise<void> {
    // Even a run with nothing to do must not end before {@link run} has set `#running`.
    await Promise.resolve();
    try {
      let missing = this.#missing();
      while (missing !== null && (missing.key !== CURRENT_KEY || this.#copied().activation < this.#wanted)) {
        await this.others.kv.put(missing.key, missing.value);
        replaceRow(this.sql, 'copied', { one: 1, ...missing.after });
        missing = this.#missing();
      }
      // No await since {@link #missing} was called: a commit from here on starts another run.
      this.sql.exec('DELETE FROM copy_retry');
      this.others.wakeAt(missing === null ? null : this.retryAt);
    } catch (thrown) {
      const failures = this.#retry.failures + 1;
      const at = this.#afterFailures(failures);
      replaceRow(this.sql, 'copy_retry', { one: 1, failures, at });
      this.others.wakeAt(at);
      log('warn', 'config.copy.failed', { failures, error: describeError(thrown) });
    } finally {
      this.#running = null;
    }
  }

  /** Returns the next key that KV lacks, and the state after it is copied; null if KV lacks none. */
  #missing(): { readonly key: string; readonly value: string; readonly after: Copied } | null {
    const { active, documents, jurisdiction } = this.others;
    const copied = this.#copied();
    const version = copied.version + 1;
    const next = jurisdiction === null ? documents(version) : null;
    if (next !== null) return { key: versionKey(version), value: next, after: { ...copied, version } };
    const inForce = active();
    const { activation } = inForce;
    const set = activation === copied.activation ? null : documents(inForce.version);
    if (set === null) return null;
    const value =
      jurisdiction === null
        ? publishedJson(inForce, set)
        : JSON.stringify({ activation, version: inForce.version, jurisdiction });
    const after = { ...copied, activation, at: this.others.clock(), writes: this.#writesToday + 1 };
    return { key: CURRENT_KEY, value, after };
  }

  #copied(): Copied {
    const query = 'SELECT version, activation, at, writes FROM copied';
    return this.row<Copied>(query) ?? { version: 0, activation: 0, at: 0, writes: 0 };
  }
}

const dayOf = (at: number): number => Math.floor(at / DAY);

export function publishedJson({ activation, version, ...overlay }: CopiedVersion, documents: string): string {
  const parts = Object.entries(overlay).map(([name, json]) =>
    json === undefined ? '' : `"${name}":${json},`,
  );
  return `{"activation":${activation},"version":${version},${parts.join('')}"set":${documents}}`;
}

interface BesideInForce {
  readonly storage: Pick<DurableObjectStorage, 'transactionSync'>;
  readonly versions: Versions;
  readonly overlay: (now: number) => Omit<CopiedVersion, 'activation' | 'version' | 'publicUrl'>;
  readonly copySoon: () => Promise<void>;
}

/** A changed part of the overlay, and the `Published` of `load.ts` with or without it, as JSON. */
export interface ChangedPart<Part> {
  readonly part: Part;
  readonly published: string | null;
}

/** The set in force, with the parts beside it, which change without a new version. */
export class InForce extends Tables<BesideInForce> {
  read(): CopiedVersion {
    const { versions, overlay } = this.others;
    const url = versions.publicUrl();
    const publicUrl = url === null ? undefined : JSON.stringify(url);
    return { ...versions.active(), ...overlay(Date.now()), publicUrl };
  }

  /** The same as JSON, with the set; null if its version is gone. */
  json(): string | null {
    const stored = this.others.versions.read();
    return stored === null ? null : publishedJson(this.read(), inUse(stored));
  }

  /** Activates the same version again. If `change` returns no part, nothing has changed. */
  async change<Part extends object, Refusal extends string | null = null>(change: () => Part | Refusal) {
    const { versions, storage, copySoon } = this.others;
    const part = storage.transactionSync(() => {
      const changed = change();
      if (isPart(changed)) versions.activate(versions.active().version);
      return changed;
    });
    if (!isPart(part)) return part;
    // Without an await between them: the text must be that of this change, and the alarm part of its commit.
    const published = this.json();
    await copySoon();
    return { part, published };
  }
}

const isPart = <Part extends object>(value: Part | string | null): value is Part =>
  typeof value === 'object' && value !== null;
