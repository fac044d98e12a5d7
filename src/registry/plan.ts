import { compileConfig } from '../config/compile.ts';
import type { Config } from '../config/config.ts';
import type { ConfigSet } from '../config/schema.ts';
import { publicUrlErrors, publicUrlWarnings } from '../config/public-url.ts';
import { secretNameErrors } from '../config/secret-names.ts';
import { movedHostWarnings } from '../config/secret-hosts.ts';
import { secretValueErrors } from '../config/secret-values.ts';
import { plainHttpWarnings, secretErrors } from '../config/named-secrets.ts';
import { MAX_ERRORS, type FieldError } from '../lib/problem.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { applyChange, type Change } from './change.ts';
import { holds, type Precondition } from './precondition.ts';
import type { PublishRefusal } from './published.ts';
import type { SetChange } from './removed-accounts.ts';
import type { Versions } from './versions.ts';

/** A version is one row of the registry, and a SQLite row in a Durable Object has at most 2 MB. */
export const MAX_SET_BYTES = 1_500_000;

/** A valid set, and its changes. */
export interface PublishPlan {
  readonly set: ConfigSet;
  readonly warnings: readonly FieldError[];
  readonly change: SetChange;
}

/** Returns the set after a change, or the reason why the change is refused. */
export function planChange(
  versions: Versions,
  env: Env,
  change: Change,
  condition: Precondition | undefined,
  publicUrl: string | null,
): Result<PublishPlan, PublishRefusal> {
  const overtaken = overtakenBy(versions, condition);
  if (overtaken !== null) return err(overtaken);
  const changed = applyChange(versions.inForce(), change);
  return changed.ok ? planSet(versions, env, changed.value, publicUrl) : changed;
}

/** Checks a whole set against today's secrets: those that it names may be gone. */
export function planSet(
  versions: Versions,
  env: Env,
  set: ConfigSet,
  publicUrl: string | null,
): Result<PublishPlan, PublishRefusal> {
  if (new TextEncoder().encode(JSON.stringify(set)).byteLength > MAX_SET_BYTES) {
    return err({
      status: 413,
      detail: `The whole set may have at most ${MAX_SET_BYTES} bytes as JSON.`,
      errors: [],
    });
  }
  const values = secretValueErrors(set, env);
  if (values.length > 0) return err(invalid(values));
  const { config, errors, warnings } = compileConfig(set, 0, Date.now());
  const all = [
    ...errors,
    ...secretNameErrors(config),
    ...secretErrors(config, env),
    ...publicUrlErrors(config, env, publicUrl),
  ];
  if (all.length > 0) return err(invalid(all));
  const change = changeTo(versions, config);
  return ok({
    set,
    warnings: [
      ...warnings,
      ...publicUrlWarnings(config, env, publicUrl),
      ...plainHttpWarnings(config, env),
      ...movedHostWarnings(change.before.accounts, config.accounts, env),
    ],
    change,
  });
}

/**
 * Returns why a change is refused that was meant for another version; null if it was meant for this one, or for any.
 */
export function overtakenBy(versions: Versions, condition: Precondition | undefined): PublishRefusal | null {
  const { version } = versions.active();
  if (holds(condition, version)) return null;
  const [info] = versions.list(1, version + 1);
  const origin =
    info === undefined ? ', the empty set,' : `, published by ${info.by} at ${info.published_at},`;
  const detail = `Version ${version}${origin} is active, and \`If-Match\` does not name it; nothing was changed. Read it, and send \`If-Match: "${version}"\` if you still want your change.`;
  return { status: 412, detail, errors: [], inForce: version };
}

function changeTo(versions: Versions, after: Config): SetChange {
  const inForce = versions.inForce();
  const { config } = compileConfig(inForce, 0);
  // Before the first publish, there is no account in which anything could wait.
  const before = versions.active().version === 0 ? { ...config, accounts: new Map() } : config;
  return { before, after, documents: inForce.accounts };
}

function invalid(errors: readonly FieldError[]): PublishRefusal {
  const shown =
    errors.length > MAX_ERRORS ? ` The first ${MAX_ERRORS} of ${errors.length} errors are listed.` : '';
  const detail = `The configuration is not valid; nothing was changed.${shown}`;
  return { status: 422, detail, errors: errors.slice(0, MAX_ERRORS) };
}
