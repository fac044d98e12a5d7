import { describe, expect, it } from 'vitest';
import { admin } from '../../integration/relay.ts';

describe('retry and cancel', () => {
  it.each(['retry', 'cancel'])('%s says 404 for an id that is none', async (action) => {
    const { status, body } = await admin<{ detail: string }>('POST', `/messages/msg_1/${action}`);
    expect(status).toBe(404);
    expect(body.detail).toContain('msg_1');
  });

  it('need the admin token', async () => {
    const { exports } = await import('cloudflare:workers');
    for (const path of [
      'messages/msg_1/retry',
      'messages/msg_1/cancel',
      'messages/retry',
      'messages/cancel',
      'events/evt_1/replay',
      'events/replay',
    ]) {
      const response = await exports.default.fetch(`https://relay.example/admin/api/v1/${path}`, {
        method: 'POST',
      });
      expect(response.status).toBe(401);
    }
  });
});
