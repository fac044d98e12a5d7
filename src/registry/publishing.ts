import { documentsOf } from '../config/documents/check.ts';
import { CURRENT_KEY, parseCurrent, movedText } from '../config/load.ts';
import type { OverrideByHand } from '../config/compiled/rotation.ts';
import { urlAfter, publicUrlErrors, publicUrlWarnings } from '../config/public-url.ts';
import { parseSet, type ConfigSet } from '../config/documents/schema.ts';
import { readFacts } from '../config/compiled/facts.ts';
import { type FieldError, fieldError, MAX_ERRORS } from '../lib/problem.ts';
import { err, ok, type Result } from '../lib/result.ts';
import {
  describeChange,
  type Mark,
  type Activation,
  type ChangeCheck,
  type NewPublish,
  type PublishReceipt,
  type PublishRefusal,
  applyChange,
  holds,
  type Precondition,
} from './change.ts';
import { type InForce, publishedJson, type KvCopy } from './kv-copy.ts';
import { type Managed, inUse, type StoredSet, type Versions } from './versions.ts';
import { goneWarning, type Overrides, suppressedInLists, type Suppressions } from './overlay.ts';
import type { Keeping, VersionInfo } from '../answers/api-registry.ts';
import { compileConfig, MAX_SET_BYTES } from '../config/compile/compile.ts';
import type { Config } from '../config/compiled/config.ts';
import {
  secretNameErrors,
  plainHttpWarnings,
  secretErrors,
  secretValueErrors,
} from '../config/secrets/named-secrets.ts';
import { movedHostWarnings } from '../config/secrets/gateway.ts';
import type { OutboxStatus } from '../answers/api-status.ts';
import { Tables } from './schema.ts';
import { replaceRow } from '../lib/store.ts';

const NOT_COPIED = fieldError(
  '',
  'not-copied',
  'KV could not be written (the free plan allows 1,000 writes a day). hookbell tries again within ten minutes; until then, webhooks use the previous set',
);

interface PublishingDeps {
  readonly env: Env;
  readonly storage: Pick<DurableObjectStorage, 'transactionSync'>;
  readonly versions: Versions;
  readonly removed: RemovedAccounts;
  readonly overrides: Overrides;
  readonly suppressions: Suppressions;
  readonly managed: Managed;
  readonly inForce: InForce;
  readonly copy: KvCopy;
}

/** Puts sets in force: checked, committed, then copied to KV. */
export class Publishing extends Tables<PublishingDeps> {
  /**
   * If anything is wrong, changes nothing. The set is in force once it is committed here: if KV cannot be written now,
   * the alarm copies it later. A managed set changes only with a `mark`; with one, a set that is in force already makes
   * no version.
   */
  async publish(asked: NewPublish): Promise<Result<PublishReceipt, PublishRefusal>> {
    const { change, by, now, note = describeChange(change), mark } = asked;
    const { env, versions, managed } = this.others;
    await readFacts(env, now);
    const refusal = (await this.#moved()) ?? (mark === undefined ? managed.refusal() : null);
    if (refusal !== null) return err(refusal);
    const plan = this.#planChange(asked);
    if (!plan.ok) return plan;
    const { documents, built } = plan.value;
    return this.#putInForce(plan.value, inUse(plan.value), mark, now, () => {
      const stored = mark === undefined ? null : versions.read();
      const isSame = stored?.documents === documents && stored.built === built && stored.version > 0;
      return isSame ? stored.version : versions.add(plan.value, note, by, now);
    });
  }

  /** Returns the answer of {@link publish} without publishing; a managed set may be checked by anybody. */
  async check(asked: ChangeCheck): Promise<Result<readonly FieldError[], PublishRefusal>> {
    await readFacts(this.others.env, Date.now());
    const moved = await this.#moved();
    if (moved !== null) return err(moved);
    const plan = this.#planChange(asked);
    return plan.ok ? ok(await this.#warnings(plan.value, this.#gone(plan.value, Date.now()))) : plan;
  }

  versions(limit: number, before: number | null): Keeping & { readonly items: readonly VersionInfo[] } {
    const { versions, managed } = this.others;
    return { items: versions.list(limit, before), ...managed.read() };
  }

  /** Returns a refusal if this registry has no version, but KV has a copy from a registry in another jurisdiction. */
  async #moved(): Promise<PublishRefusal | null> {
    const { versions, env } = this.others;
    const text = versions.active().version > 0 ? null : await env.CONFIG.get(CURRENT_KEY);
    const detail = text === null ? null : movedText(parseCurrent(text).jurisdiction, env);
    return detail === null ? null : { status: 409, conflict: 'conflict', detail };
  }

  /** Puts an earlier version in force again. It is checked again, since its secrets may be gone. */
  async activate(asked: Activation): Promise<Result<PublishReceipt, PublishRefusal>> {
    const { version, condition, mark, publicUrl } = asked;
    const { env, versions, managed } = this.others;
    await readFacts(env, Date.now());
    const refusal = mark === undefined ? managed.refusal() : null;
    if (refusal !== null) return err(refusal);
    const stored = versions.read(version);
    if (stored === null) return err({ status: 404, detail: `There is no version ${version}.` });
    const overtaken = overtakenBy(versions, condition);
    if (overtaken !== null) return err(overtaken);
    const plan = this.#planSet(parseSet(inUse(stored)), publicUrl);
    return plan.ok ? this.#putInForce(plan.value, inUse(stored), mark, Date.now(), () => version) : plan;
  }

  /** The set stays the same, under a new version: otherwise, a push that began before would still find its version in force. */
  async takeOver(name: string, by: string, now: number): Promise<Result<PublishReceipt, PublishRefusal>> {
    const { storage, versions, managed } = this.others;
    const stored = versions.read();
    const detail = 'The configuration is not managed in git: every editor may publish.';
    if (stored === null || managed.read().managed === null)
      return err({ status: 409, conflict: 'conflict', detail });
    const version = storage.transactionSync(() => {
      const added = versions.add(stored, `taken over by ${name}`, by, now);
      versions.activate(added);
      managed.takeOver(name, now, added);
      return added;
    });
    const published = publishedJson(this.others.inForce.read(), inUse(stored));
    return ok({ version, published, warnings: await this.#copy() });
  }

  /** Forgets an account whose outbox holds nothing any more. False if it is too early for that. */
  async forgetAccount(account: string, now = Date.now()): Promise<boolean> {
    const { storage, versions, removed } = this.others;
    const became = storage.transactionSync(() => {
      const answer = removed.forget(account, now);
      if (answer === 'forgotten') versions.activate(versions.active().version);
      return answer;
    });
    if (became === 'forgotten') await this.#copy();
    return became !== 'kept';
  }

  /** To be called right after the change, without an await between. */
  async #copy(): Promise<readonly FieldError[]> {
    const { copy } = this.others;
    copy.arm();
    await copy.run();
    return copy.hasFailed ? [NOT_COPIED] : [];
  }

  /** Returns the overrides by hand that end with a set, since it lacks their person. */
  #gone({ set }: PublishPlan, now: number): readonly OverrideByHand[] {
    return this.others.overrides.gone(documentsOf(set).recipients, now);
  }

  async #warnings({ set, warnings, change }: PublishPlan, gone: readonly OverrideByHand[]) {
    const { env, suppressions } = this.others;
    const ofLists = suppressedInLists(set, suppressions.json());
    const ofRemoved = await removalWarnings(change, (account) => env.OUTBOX.getByName(account));
    return [...gone.map(goneWarning), ...warnings, ...ofLists, ...ofRemoved];
  }

  /** Puts a set in force: under the version that `choose` returns, in the same commit. */
  async #putInForce(
    plan: PublishPlan,
    documents: string,
    mark: Mark | undefined,
    now: number,
    choose: () => number,
  ) {
    const { storage, versions, managed, removed, overrides, inForce } = this.others;
    const gone = this.#gone(plan, now);
    const version = storage.transactionSync(() => {
      const chosen = choose();
      versions.activate(chosen, plan.url);
      if (mark !== undefined) managed.mark(mark);
      removed.change(plan.change, now);
      overrides.endGone(gone, now);
      return chosen;
    });
    // Without an await between them: the text must be that of this commit.
    const published = publishedJson(inForce.read(), documents);
    const warnings = [...(await this.#copy()), ...(await this.#warnings(plan, gone))];
    return ok({ version, published, warnings });
  }

  #planChange({ change, condition, publicUrl }: ChangeCheck) {
    const { versions } = this.others;
    const overtaken = overtakenBy(versions, condition);
    if (overtaken !== null) return err(overtaken);
    const written = versions.inForce(({ documents }) => documents);
    const changed = applyChange(written, change);
    return changed.ok ? this.#planSet(changed.value, publicUrl) : changed;
  }

  /** Checks a whole set against today's secrets: those that it names may be gone. */
  #planSet(set: ConfigSet, publicUrl: string | undefined): Result<PublishPlan, PublishRefusal> {
    const { env, versions } = this.others;
    const url = urlAfter(versions.publicUrl(), publicUrl ?? null);
    const documents = JSON.stringify(set);
    if (isTooLarge(documents)) return err(TOO_LARGE);
    const values = secretValueErrors(set, env);
    if (values.length > 0) return err(invalid(values));
    const compiled = compileConfig(set, 0, Date.now());
    const { config } = compiled;
    const errors = [
      ...compiled.errors,
      ...secretNameErrors(config),
      ...secretErrors(config, env),
      ...publicUrlErrors(config, env, url),
    ];
    if (errors.length > 0) return err(invalid(errors));
    const built = compiled.built === set ? null : JSON.stringify(compiled.built);
    if (built !== null && isTooLarge(built)) return err(TOO_LARGE);
    const inForce = versions.inForce();
    const { config: last } = compileConfig(inForce, 0);
    // Before the first publish, there is no account in which anything could wait.
    const before = versions.active().version === 0 ? { ...last, accounts: new Map() } : last;
    const warnings = [
      ...compiled.warnings,
      ...publicUrlWarnings(config, env, url),
      ...plainHttpWarnings(config, env),
      ...movedHostWarnings(before.accounts, config.accounts, env),
    ];
    const change = { before, after: config, documents: inForce.accounts };
    return ok({ set, documents, built, url, warnings, change });
  }
}

interface PublishPlan extends StoredSet {
  readonly set: ConfigSet;
  /** The address at which an editor last published. */
  readonly url: string | null;
  readonly warnings: readonly FieldError[];
  readonly change: SetChange;
}

const isTooLarge = (json: string): boolean => new TextEncoder().encode(json).byteLength > MAX_SET_BYTES;

const TOO_LARGE: PublishRefusal = {
  status: 413,
  detail: `The whole set may have at most ${MAX_SET_BYTES} bytes as JSON.`,
};

/** Null if the change was meant for the version in force, or for any. */
function overtakenBy(versions: Versions, condition: Precondition | undefined): PublishRefusal | null {
  const { version } = versions.active();
  if (holds(condition, version)) return null;
  const [info] = versions.list(1, version + 1);
  const origin =
    info === undefined ? ', the empty set,' : `, published by ${info.by} at ${info.published_at},`;
  const detail = `Version ${version}${origin} is active, and \`If-Match\` does not name it; nothing was changed. Read it, and send \`If-Match: "${version}"\` if you still want your change.`;
  return { status: 412, detail, inForce: version };
}

function invalid(errors: readonly FieldError[]): PublishRefusal {
  const shown =
    errors.length > MAX_ERRORS ? ` The first ${MAX_ERRORS} of ${errors.length} errors are listed.` : '';
  const detail = `The configuration is not valid; nothing was changed.${shown}`;
  return { status: 422, detail, errors: errors.slice(0, MAX_ERRORS) };
}

export interface SetChange {
  readonly before: Config;
  readonly after: Config;
  readonly documents: Readonly<Record<string, unknown>>;
}

/** How long a removed account is kept, even if empty (ms): an isolate that does not know yet may still bring it an event. */
const SETTLE_MS = 120_000;

/** Accounts that were removed while their outboxes held something, with their last documents. */
export class RemovedAccounts extends Tables {
  json(): string | undefined {
    const query = 'SELECT account, document FROM removed_accounts';
    const rows = this.rows<{ account: string; document: string }>(query);
    const entries = rows.map(({ account, document }) => `${JSON.stringify(account)}:${document}`);
    return rows.length === 0 ? undefined : `{${entries.join()}}`;
  }

  /** To be called in the commit that publishes a change of the set. */
  change({ before, after, documents }: SetChange, now: number): void {
    for (const account of after.accounts.keys()) this.#delete(account);
    for (const account of before.accounts.keys()) {
      const document = JSON.stringify(documents[account] ?? {});
      if (!after.accounts.has(account))
        replaceRow(this.sql, 'removed_accounts', { account, document, removed_at: now });
    }
  }

  /** `kept`: the account has just been removed. */
  forget(account: string, now: number): 'forgotten' | 'kept' | 'unknown' {
    const query = 'SELECT removed_at FROM removed_accounts WHERE account = ?';
    const row = this.row<{ removed_at: number }>(query, account);
    if (row === undefined) return 'unknown';
    // A time in the future comes from a clock that was ahead.
    if (row.removed_at <= now && now < row.removed_at + SETTLE_MS) return 'kept';
    this.#delete(account);
    return 'forgotten';
  }

  #delete(account: string): void {
    this.sql.exec('DELETE FROM removed_accounts WHERE account = ?', account);
  }
}

type Waiting = Pick<OutboxStatus, 'queued' | 'retrying' | 'sending'>;

export function removalWarnings(
  { before, documents, after }: SetChange,
  outbox: (account: string) => { readonly status: () => Promise<Waiting> },
) {
  const known = [...before.accounts.keys()].filter((name) => name in documents);
  const removed = known.filter((name) => !after.accounts.has(name));
  return Promise.all(
    removed.map(async (name) => {
      const waiting = await outbox(name)
        .status()
        .then(
          ({ queued, retrying, sending }) => queued + retrying + sending,
          () => 'an unknown number of',
        );
      const message = `is removed, but still sends ${waiting} waiting ${waiting === 1 ? 'message' : 'messages'}, with its last settings; it is listed until it is empty`;
      return fieldError(`accounts.${name}`, 'still-sends', message, { waiting: String(waiting) });
    }),
  );
}
