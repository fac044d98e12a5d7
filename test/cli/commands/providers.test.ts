import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { admin, hookbell, json } from '../support.ts';

describe('providers', () => {
  it.each([[], ['stripe'], ['bitbucket']])(
    'needs no relay and no token, and prints what the API does: %s',
    async (...id) => {
      const env = { HOOKBELL_URL: 'http://localhost:9', HOOKBELL_TOKEN: '' };
      const own = await json(['providers', ...id], z.unknown(), { env });
      expect(own).toEqual(await admin('GET', ['/providers', ...id].join('/')));
      expect((await hookbell(['providers', ...id], { env })).code).toBe(0);
    },
  );

  it('lists them, and shows how one is set up', async () => {
    const { stdout } = await hookbell(['providers']);
    expect(stdout).toMatch(/^stripe +Stripe +payments +yes$/m);
    const one = await hookbell(['providers', 'stripe'], { columns: 80 });
    expect(one.stdout).toContain('1. In the Stripe Dashboard open Developers → Webhooks');
    expect(Math.max(...one.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(await json(['providers', 'stripe'], z.object({ id: z.string() }))).toEqual({ id: 'stripe' });
    expect(
      (await json(['providers'], z.object({ items: z.array(z.unknown()) }))).items.length,
    ).toBeGreaterThan(50);
  });

  it('suggests the one that was meant', async () => {
    const { code, stderr } = await hookbell(['providers', 'strpe']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'hookbell: there is no provider `strpe`; did you mean `stripe`?\n',
    });
  });
});
