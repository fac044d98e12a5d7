import { createCache } from '../lib/cache.ts';
import { err, ok } from '../lib/result.ts';
import type { Gateway } from './client.ts';
import { FORM_HEADERS } from './http.ts';
import { MESSAGE_KINDS } from './kinds.ts';
import { classifyAnswer, NO_ADDRESS } from './outcome.ts';

/** A login at the gateway's API v2. `baseUrl` ends in `/api`, without a slash after it. */
export interface GatewayAccount {
  readonly baseUrl: string;
  readonly email: string;
  readonly apiKey: string;
  readonly appKey?: string;
}

const addresses = createCache<URL | null>(64);

/** The gateway's API v2. Its rules for answers are code: a shape's fields cannot express them. */
export const v2 = (account: GatewayAccount): Gateway => ({
  request: ({ kind, phone, params }) => {
    const address = `${account.baseUrl}/${MESSAGE_KINDS[kind].path}`;
    const url = addresses(address, () => URL.parse(address));
    if (url === null) return err(NO_ADDRESS);
    return ok({ url, init: loginForm(account, { ...params, ...(phone !== null && { phone }) }) });
  },
  classify: classifyAnswer,
  secrets: [account.email, account.apiKey, account.appKey],
});

export function loginForm(account: GatewayAccount, fields: Readonly<Record<string, string>>) {
  const form = new URLSearchParams({
    ...fields,
    // Credentials last, so that no parameter can replace them.
    email: account.email,
    api_key: account.apiKey,
    ...(account.appKey !== undefined && { app_key: account.appKey }),
  });
  return {
    method: 'POST',
    headers: FORM_HEADERS,
    body: form.toString(),
    // Following a redirect would send the credentials to another server.
    redirect: 'manual',
  } as const;
}
