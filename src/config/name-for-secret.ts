/** The prefix of the names of notification secrets; `secret-names.ts` says why they have one. */
export const NOTIFY_PREFIX = 'NOTIFY_';

export const isNotifySecret = (name: string): boolean => name.startsWith(NOTIFY_PREFIX);

/**
 * A name for a source's own secret: it begins with a letter, and neither as hookbell's credentials nor as notification
 * secrets do.
 */
export function nameForSecretOf(source: string): string {
  const name = `${source.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_WEBHOOK_SECRET`;
  return /^(\d|GATEWAY_)/.test(name) || isNotifySecret(name) ? `HOOK_${name}` : name;
}
