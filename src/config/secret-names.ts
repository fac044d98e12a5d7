import { secret } from '../lib/secret.ts';
import type { FieldError } from '../lib/problem.ts';
import type { Config } from './config.ts';
import { isNotifySecret, NOTIFY_PREFIX } from './name-for-secret.ts';
import { secretUses } from './named-secrets.ts';

/*
 * A notification's address carries its secret to wherever a document says, so anyone who edits documents could read out
 * any secret that an address may name. So secrets with the prefix are for addresses only, and all others for everything
 * else. Not part of the documents' schema, since a version from before this rule must still load.
 */

/** The value that a notification's address may hold; undefined: not set, or not for notifications. */
export const notifySecret = (env: Env, name: string): string | undefined =>
  isNotifySecret(name) ? secret(env, name) : undefined;

/** The value that a source may be verified with; undefined: not set, or for notifications. */
export const sourceSecret = (env: Env, name: string): string | undefined =>
  isNotifySecret(name) ? undefined : secret(env, name);

/** A secret by its name in documents. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

/** Those of the named secrets that are set, in the document's order. */
export const secretsSet = (names: readonly string[], env: Env): readonly NamedSecret[] =>
  names.flatMap((name) => {
    const value = sourceSecret(env, name);
    return value === undefined ? [] : [{ name, value }];
  });

/** Secrets that a configuration names in the wrong place. */
export const secretNameErrors = (config: Config): readonly FieldError[] =>
  secretUses(config).flatMap(({ path, name, isNotify }) =>
    isNotifySecret(name) === isNotify
      ? []
      : [{ path, message: isNotify ? notForNotifications(name) : notForSources(name) }],
  );

const notForSources = (name: string): string => {
  const other = `HOOK_${name.slice(NOTIFY_PREFIX.length)}`;
  return `begins with ${NOTIFY_PREFIX}, which is reserved for \`notify\`: set it under another name, such as \`npx wrangler secret put ${other}\`, and use that name`;
};

const notForNotifications = (name: string): string => {
  const other = NOTIFY_PREFIX + name;
  return `must begin with ${NOTIFY_PREFIX}, so that no notification can reveal a source’s secret: set it again, \`npx wrangler secret put ${other}\`, and use that name`;
};
