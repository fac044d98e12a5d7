import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hookbell, json, relayUrl } from '../support.ts';

const link = z.object({ code: z.string(), url: z.string(), expires_at: z.string() });
const signIn = (code: string): Promise<Response> =>
  fetch(`${relayUrl()}/admin/api/v1/session`, { method: 'POST', body: JSON.stringify({ code }) });

describe('console', () => {
  it('prints the address, and a link that signs in once', async () => {
    const { code, stdout } = await hookbell(['console']);
    expect(code).toBe(0);
    const [address, , url = ''] = stdout.split('\n');
    expect(address).toBe(`The console: ${relayUrl()}/admin`);
    const [page, secret = ''] = url.split('#code=');
    expect(page).toBe(`${relayUrl()}/admin`);
    const signedIn = await signIn(secret);
    expect(signedIn.status).toBe(200);
    expect(signedIn.headers.get('set-cookie')).toMatch(/^hookbell=/);
    expect((await signIn(secret)).status).toBe(401);
  });

  it('gives a program what the relay answers', async () => {
    const { code, url, expires_at: expiresAt } = await json(['console'], link);
    expect(url).toBe(`${relayUrl()}/admin#code=${code}`);
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  });

  it('needs the token', async () => {
    const { code, stderr } = await hookbell(['console'], {
      env: { HOOKBELL_TOKEN: 'wrong-token-0123456789' },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('refuses the token in HOOKBELL_TOKEN');
  });
});
