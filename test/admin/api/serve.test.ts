import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { admin } from '../../integration/relay.ts';
import { raw } from '../support.ts';

const SECRETS = ['ADMIN_TOKEN', 'GATEWAY_API_KEY', 'GATEWAY_EMAIL', 'HOOK_SECRET'].map(
  (name) => [name, String(Reflect.get(env, name))] as const,
);

beforeAll(() => admin('POST', '/config', {}));

describe('the value of a secret where a name should be', () => {
  it.each(SECRETS)('is not repeated by what is said to be wrong: %s', async (_, value) => {
    const encoded = encodeURIComponent(value);
    const calls: readonly (readonly [string, string, string?])[] = [
      ['GET', `/events/${encoded}`],
      ['DELETE', `/sources/${encoded}`],
      ['GET', `/messages?${encoded}=1`],
      [
        'POST',
        '/messages',
        JSON.stringify({ account: value, to: '4915112345678', kind: 'text', message: 'x' }),
      ],
      ['PUT', '/sources/shop', JSON.stringify({ provider: value, [value]: 1 })],
      ['POST', '/config', `{"sources": "${value}`],
    ];
    for (const [method, path, body] of calls) {
      const response = await raw(method, path, body === undefined ? {} : { body });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).not.toContain(value);
    }
  });

  it('leaves all other names as they are', async () => {
    const response = await raw('GET', '/events/evt_nothing');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('`evt_nothing`');
  });
});
