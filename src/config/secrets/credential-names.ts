/** The account whose secrets do not contain its name. */
export const DEFAULT_ACCOUNT_NAME = 'default';

/** The start of the names of an account's secrets: `GATEWAY_` for `default`, `GATEWAY_SALES_` for `sales`. */
export const secretPrefix = (account: string): string =>
  account === DEFAULT_ACCOUNT_NAME ? 'GATEWAY_' : `GATEWAY_${account.toUpperCase().replaceAll('-', '_')}_`;

export function credentialNames(account: string) {
  const prefix = secretPrefix(account);
  return {
    email: `${prefix}EMAIL`,
    apiKey: `${prefix}API_KEY`,
    appKey: `${prefix}APP_KEY`,
    baseUrl: `${prefix}BASE_URL`,
  };
}

/** The prefix of the names of notification secrets; `named-secrets.ts` explains its purpose. */
export const NOTIFY_PREFIX = 'NOTIFY_';

export const isNotifySecret = (name: string): boolean => name.startsWith(NOTIFY_PREFIX);

/** It begins with a letter, but not with the prefix of hookbell's credentials or of notification secrets. */
export function nameForSecretOf(source: string): string {
  const name = `${source.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_WEBHOOK_SECRET`;
  return /^(\d|GATEWAY_)/.test(name) || isNotifySecret(name) ? `HOOK_${name}` : name;
}
