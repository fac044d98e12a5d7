import { beforeAll, describe, expect, it } from 'vitest';
import type { Stats } from '../../src/metrics/api-stats.ts';
import { admin, postJson, publish } from '../integration/relay.ts';
import { form, lines, raw, type ProblemJson } from './support.ts';

beforeAll(() => publish({ sources: { shop: form({ heartbeat: '12h' }), quiet: form() } }));

describe('GET /stats', () => {
  it('has each configured source and account', async () => {
    await postJson('shop', { phone: 'no number', text: 'hi' });
    const { status, body } = await admin<Stats>('GET', '/stats');
    expect(status).toBe(200);
    expect(Object.keys(body.sources)).toEqual(['shop', 'quiet']);
    expect(Object.keys(body.accounts)).toEqual(['default']);
    expect(body.sources['shop']).toMatchObject({
      events: { failed: 1 },
      heartbeat: { expected: '12h', overdue: false },
    });
    expect(Date.parse(body.sources['shop']?.last_event_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect(body.sources['quiet']).toEqual({
      account: 'default',
      events: { routed: 0, unmatched: 0, failed: 0, partly_failed: 0 },
      duplicates: 0,
      rejections: {},
      last_event_at: null,
    });
  });

  it('takes no filter: totals under the name of an hour’s would be a lie', async () => {
    const { status, body } = await admin<ProblemJson>('GET', '/stats?since=24h');
    expect(status).toBe(422);
    expect(lines(body)).toEqual([expect.stringMatching(/unknown key `since`/)]);
  });

  it('is closed without a token', async () => {
    expect((await raw('GET', '/stats', { headers: { authorization: '' } })).status).toBe(401);
  });
});
