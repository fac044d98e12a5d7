import { secret } from '../../lib/secret.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import type { Config } from '../compiled/config.ts';
import { isNotifySecret, NOTIFY_PREFIX } from './credential-names.ts';
import { secretUses } from './named-secrets.ts';

/*
 * A notification's address carries its secret to any host that a document names. Without a rule, anybody who edits
 * documents could read out any secret. So secrets with the prefix are only for addresses, and all others are for
 * everything else.
 */

/** The secret for a notification's address; undefined if it is not set, or its name lacks the prefix. */
export const notifySecret = (env: Env, name: string): string | undefined =>
  isNotifySecret(name) ? secret(env, name) : undefined;

/** The secret for verifying a source; undefined if it is not set, or its name has the prefix for notifications. */
export const sourceSecret = (env: Env, name: string): string | undefined =>
  isNotifySecret(name) ? undefined : secret(env, name);

/** A secret by its name in documents. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

/** The named secrets that are set, in the document's order. */
export const secretsSet = (names: readonly string[], env: Env): readonly NamedSecret[] =>
  names.flatMap((name) => {
    const value = sourceSecret(env, name);
    return value === undefined ? [] : [{ name, value }];
  });

/** Reports secrets that a configuration names in the wrong place. */
export const secretNameErrors = (config: Config): readonly FieldError[] =>
  secretUses(config).flatMap(({ path, name, isNotify }) =>
    isNotifySecret(name) === isNotify
      ? []
      : [fieldError(path, 'secret', isNotify ? notForNotifications(name) : notForSources(name))],
  );

const notForSources = (name: string): string => {
  const other = `HOOK_${name.slice(NOTIFY_PREFIX.length)}`;
  return `begins with ${NOTIFY_PREFIX}, which is reserved for \`notify\`: set it under another name, such as \`npx wrangler secret put ${other}\`, and use that name`;
};

const notForNotifications = (name: string): string => {
  const other = NOTIFY_PREFIX + name;
  return `must begin with ${NOTIFY_PREFIX}, so that no notification can reveal a source’s secret: set it again, \`npx wrangler secret put ${other}\`, and use that name`;
};
