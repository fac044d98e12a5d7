import { describe, expect, it } from 'vitest';
import { credentialNames } from '../../src/config/credential-names.ts';
import { readCredentials } from '../../src/config/credentials.ts';
import { containing } from './support.ts';
import { bindings } from '../bindings.ts';

describe('the names of an account’s credentials', () => {
  it.each([
    ['default', 'GATEWAY_EMAIL'],
    ['sales', 'GATEWAY_SALES_EMAIL'],
    ['eu-west_2', 'GATEWAY_EU_WEST_2_EMAIL'],
  ])('of %s begin like %s', (account, email) => {
    expect(credentialNames(account).email).toBe(email);
  });
});

describe('an account’s credentials', () => {
  it('are its own; the base URL falls back to the common one', () => {
    const env = bindings({ GATEWAY_BASE_URL: 'https://gw.example/api/' });
    expect(readCredentials(env, 'sales')).toEqual({
      ok: true,
      value: {
        baseUrl: 'https://gw.example/api',
        email: 'sales@example.com',
        apiKey: 'gateway-key-of-sales',
      },
    });
    const own = bindings({
      GATEWAY_SALES_BASE_URL: 'https://sales.example/api',
      GATEWAY_SALES_APP_KEY: 'app',
    });
    expect(readCredentials(own, 'sales')).toMatchObject({
      value: { baseUrl: 'https://sales.example/api', appKey: 'app' },
    });
  });

  it('that are missing are named, all at once', () => {
    const env = bindings({ GATEWAY_EMAIL: undefined, GATEWAY_API_KEY: '', GATEWAY_BASE_URL: undefined });
    const read = readCredentials(env, 'default');
    expect(read).toMatchObject({ ok: false });
    expect(read.ok ? [] : read.error).toEqual([
      'the secret GATEWAY_EMAIL is not set: `npx wrangler secret put GATEWAY_EMAIL`',
      'the secret GATEWAY_API_KEY is not set: `npx wrangler secret put GATEWAY_API_KEY`',
      containing('GATEWAY_BASE_URL is not set'),
    ]);
  });

  it.each([
    'gw.example/api',
    'ftp://gw.example/api',
    'https://gw.example/',
    'https://gw.example/api?key=abc',
  ])('have no base URL %s, and it is not repeated: it may hold a key', (url) => {
    const read = readCredentials(bindings({ GATEWAY_BASE_URL: url }), 'default');
    expect(read.ok ? [] : read.error).toEqual([
      'the gateway base URL must be an http(s) address that ends in /api, without a query',
    ]);
  });
});
