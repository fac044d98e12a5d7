/** The prefix of the names of notification secrets; `secret-names.ts` explains its purpose. */
export const NOTIFY_PREFIX = 'NOTIFY_';

export const isNotifySecret = (name: string): boolean => name.startsWith(NOTIFY_PREFIX);

/**
 * A name for a source's own secret. It begins with a letter, but not with the prefix of hookbell's credentials or of
 * notification secrets.
 */
export function nameForSecretOf(source: string): string {
  const name = `${source.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_WEBHOOK_SECRET`;
  return /^(\d|GATEWAY_)/.test(name) || isNotifySecret(name) ? `HOOK_${name}` : name;
}
