import { beforeAll, describe, expect, it } from 'vitest';
import { senders } from '../conformance/senders.ts';
import { problemIn } from './problems.ts';
import { admin, post, publish } from './relay.ts';

/** As vitest.config.ts binds it. */
const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
const CHALLENGE = '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmd';
const JSON_TYPE = { 'content-type': 'application/json' };

const hello = (challenge: unknown) => JSON.stringify({ type: 'url_verification', token: 'x', challenge });

async function signed(body: string): Promise<Record<string, string>> {
  const seconds = Math.floor(Date.now() / 1_000);
  return { ...JSON_TYPE, ...(await senders['slack']?.(body, SECRET, seconds)) };
}

const eventCount = async () => (await admin<{ items: unknown[] }>('GET', '/events')).body.items.length;

describe('Slack’s challenge', () => {
  beforeAll(() =>
    publish({
      sources: {
        slack: {
          provider: 'slack',
          secrets: ['SLACK_SECRET'],
          routes: [{ name: 'all', to: '491713920021', send: { kind: 'text', message: 'hello' } }],
        },
      },
    }),
  );

  it('that is signed comes back as plain text, and is no event', async () => {
    const body = hello(CHALLENGE);
    const response = await post('slack', body, await signed(body));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe(CHALLENGE);
    expect(await eventCount()).toBe(0);
  });

  it('that is not signed gets nothing back', async () => {
    const { detail } = await problemIn(
      await post('slack', hello(CHALLENGE), JSON_TYPE),
      401,
      'verification-failed',
    );
    expect(detail).not.toContain(CHALLENGE);
  });

  it('that was signed for another body gets nothing back', async () => {
    const response = await post('slack', hello(CHALLENGE), await signed(hello('another')));
    await problemIn(response, 401, 'verification-failed');
  });

  it.each(['<script>alert(1)</script>', '', { a: 1 }, undefined])(
    'that could not be one (%j) is refused, and not echoed',
    async (challenge) => {
      const body = hello(challenge);
      const { detail } = await problemIn(
        await post('slack', body, await signed(body)),
        400,
        'malformed-handshake',
      );
      expect(detail).toContain('body:challenge');
      expect(detail).not.toContain('<script>');
    },
  );

  it('an event that is signed is an event', async () => {
    const body = JSON.stringify({ type: 'event_callback', event_id: 'Ev1', event: { type: 'message' } });
    const before = await eventCount();
    expect((await post('slack', body, await signed(body))).status).toBe(202);
    expect(await eventCount()).toBe(before + 1);
  });
});
