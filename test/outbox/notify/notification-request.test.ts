import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NotifyFormat } from '../../../src/config/notify-policy.ts';
import type { Notification } from '../../../src/outbox/notify/notification.ts';
import { notificationRequest } from '../../../src/outbox/notify/notification-request.ts';

const NOTICE: Notification = {
  kind: 'account.paused',
  account: 'sales',
  at: '2026-01-31T12:00:00.000Z',
  text: 'hookbell: the account sales is paused.',
};

const request = (format: NotifyFormat, url: string, secret = 's3cret', notice = NOTICE) =>
  notificationRequest(notice, { url, secret: 'OWNER_SECRET', format }, secret);

describe('the POST of a notification', () => {
  it('is the notice itself for a receiver of one’s own', () =>
    expect(request('json', 'https://alerts.example/in?key={secret}')).toEqual({
      url: 'https://alerts.example/in?key=s3cret',
      body: NOTICE,
    }));

  it('is `text` for Slack, whose secret holds slashes', () =>
    expect(request('slack', 'https://hooks.slack.com/services/{secret}', 'T0/B0/xyz')).toEqual({
      url: 'https://hooks.slack.com/services/T0/B0/xyz',
      body: { text: NOTICE.text },
    }));

  it('is the text for Telegram, as long as it may be, beside what the address says', () => {
    const url = 'https://api.telegram.org/bot1:abc/sendMessage?chat_id=-42';
    expect(request('telegram', url)).toEqual({
      url: 'https://api.telegram.org/bot1:abc/sendMessage',
      body: { chat_id: '-42', text: NOTICE.text },
    });
    const { body } = request('telegram', url, '', { ...NOTICE, text: 'x'.repeat(9_000) });
    expect(String(body['text'])).toHaveLength(4_096);
  });

  it('is `content` for Discord, and rings nobody by a mention', () =>
    expect(request('discord', 'https://discord.com/api/webhooks/{secret}', '1/abc')).toEqual({
      url: 'https://discord.com/api/webhooks/1/abc',
      body: { content: NOTICE.text, allowed_mentions: { parse: [] } },
    }));

  it.each(['account.resumed', 'circuit.closed', 'source.back'] as const)(
    'is less urgent for ntfy when trouble is over: %s',
    (kind) =>
      expect(request('ntfy', 'https://ntfy.sh/{secret}', 'topic', { ...NOTICE, kind }).body).toMatchObject({
        priority: 3,
      }),
  );

  it('is JSON at the root for ntfy, with the topic in it and not in the address', () =>
    expect(request('ntfy', 'https://ntfy.sh/{secret}', 'my-topic')).toEqual({
      url: 'https://ntfy.sh/',
      body: { topic: 'my-topic', title: 'hookbell: sales', message: NOTICE.text, priority: 4 },
    }));

  it('keeps what ntfy wants in the query, and takes a slash at the end for none', () => {
    const { url, body } = request('ntfy', 'https://ntfy.example/alerts/?auth={secret}', 'tk');
    expect(url).toBe('https://ntfy.example/?auth=tk');
    expect(body['topic']).toBe('alerts');
  });

  it.each(['circuit.closed', 'account.resumed'] as const)(
    'sends good news (%s) at ntfy’s normal priority',
    (kind) => expect(request('ntfy', 'https://ntfy.sh/t', '', { ...NOTICE, kind }).body['priority']).toBe(3),
  );

  it('puts any secret in as it is, every time it is named: `$&` means nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom('$&', '$$', '$1', "$'", '{secret}'), fc.string()), (secret) => {
        expect(request('json', 'https://a.example/{secret}/x?y={secret}', secret).url).toBe(
          `https://a.example/${secret}/x?y=${secret}`,
        );
      }),
    );
  });

  it('leaves an address without a secret as it is', () =>
    expect(
      notificationRequest(NOTICE, { url: 'https://a.example/b', secret: null, format: 'json' }, '').url,
    ).toBe('https://a.example/b'));
});
