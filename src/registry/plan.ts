import { MAX_SET_BYTES } from '../config/compile/built.ts';
import { compileConfig } from '../config/compile/compile.ts';
import type { Config } from '../config/compiled/config.ts';
import type { ConfigSet } from '../config/documents/schema.ts';
import { publicUrlErrors, publicUrlWarnings } from '../config/public-url.ts';
import { secretNameErrors } from '../config/secrets/names.ts';
import { movedHostWarnings } from '../config/secrets/hosts.ts';
import { secretValueErrors } from '../config/secrets/values.ts';
import { plainHttpWarnings, secretErrors } from '../config/secrets/named-secrets.ts';
import { MAX_ERRORS, type FieldError } from '../lib/problem.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { applyChange, holds, type Change, type Precondition, type PublishRefusal } from './change.ts';
import type { SetChange } from './removed-accounts.ts';
import type { Versions } from './versions.ts';

/** A valid set, and its changes. */
export interface PublishPlan {
  readonly set: ConfigSet;
  /** The same with what hookbell ships, as JSON; null if nothing differs. */
  readonly built: string | null;
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
  const changed = applyChange(versions.written(), change);
  return changed.ok ? planSet(versions, env, changed.value, publicUrl) : changed;
}

const isTooLarge = (json: string): boolean => new TextEncoder().encode(json).byteLength > MAX_SET_BYTES;

/** Of a set, or the same with its partials. */
const TOO_LARGE: PublishRefusal = {
  status: 413,
  detail: `The whole set may have at most ${MAX_SET_BYTES} bytes as JSON.`,
  errors: [],
};

/** Checks a whole set against today's secrets: those that it names may be gone. */
export function planSet(
  versions: Versions,
  env: Env,
  set: ConfigSet,
  publicUrl: string | null,
): Result<PublishPlan, PublishRefusal> {
  if (isTooLarge(JSON.stringify(set))) return err(TOO_LARGE);
  const values = secretValueErrors(set, env);
  if (values.length > 0) return err(invalid(values));
  const { config, built, errors, warnings } = compileConfig(set, 0, Date.now());
  const all = [
    ...errors,
    ...secretNameErrors(config),
    ...secretErrors(config, env),
    ...publicUrlErrors(config, env, publicUrl),
  ];
  if (all.length > 0) return err(invalid(all));
  const builtJson = built === set ? null : JSON.stringify(built);
  if (builtJson !== null && isTooLarge(builtJson)) return err(TOO_LARGE);
  const change = changeTo(versions, config);
  return ok({
    set,
    built: builtJson,
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
