import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { NotifyFormat } from '../../../src/config/documents/account-schema.ts';
import { notificationRequest, type Notification } from '../../../src/outbox/notify/post.ts';

const NOTICE: Notification = {
  kind: 'account.paused',
  account: 'sales',
  at: '2026-01-31T12:00:00.000Z',
  text: 'hookbell: the account sales is paused.',
};

const request = (format: NotifyFormat, url: string, secret = 's3cret', notice = NOTICE) =>
  notificationRequest(notice, { url, secret: 'OWNER_SECRET', format }, secret);

const TELEGRAM = 'https://api.telegram.org/bot1:abc/sendMessage';
const { text } = NOTICE;

const NTFY = { title: 'hookbell: sales', message: text, priority: 4 };
const [SLACK, DISCORD] = ['https://hooks.slack.com/services/', 'https://discord.com/api/webhooks/'];

/** An address, a secret, and the address with it. */
it.for<[NotifyFormat, string, object]>([
  ['json', 'https://alerts.example/in?key={secret} s3cret https://alerts.example/in?key=s3cret', NOTICE],
  ['json', 'https://a.example/b - https://a.example/b', NOTICE],
  ['slack', `${SLACK}{secret} T0/B0/xyz ${SLACK}T0/B0/xyz`, { text }],
  ['telegram', `${TELEGRAM}?chat_id=-42 - ${TELEGRAM}`, { chat_id: '-42', text }],
  // It rings nobody by a mention.
  ['discord', `${DISCORD}{secret} 1/abc ${DISCORD}1/abc`, { content: text, allowed_mentions: { parse: [] } }],
  ['ntfy', 'https://ntfy.sh/{secret} my-topic https://ntfy.sh/', { topic: 'my-topic', ...NTFY }],
  ['ntfy', 'https://n.example/t/?auth={secret} tk https://n.example/?auth=tk', { topic: 't', ...NTFY }],
])('the POST for %s at %s has what that takes', ([format, addresses, body]) => {
  const [address = '', secret = '', url] = addresses.split(' ');
  expect(request(format, address, secret)).toEqual({ url, body });
});

it('the POST is as long as Telegram takes, and less urgent for ntfy when trouble is over', () => {
  const long = { ...NOTICE, text: 'x'.repeat(9_000) };
  expect(String(request('telegram', `${TELEGRAM}?chat_id=-42`, '', long).body['text'])).toHaveLength(4_096);
  for (const kind of ['account.resumed', 'circuit.closed', 'source.back'] as const)
    expect(request('ntfy', 'https://ntfy.sh/t', '', { ...NOTICE, kind }).body).toMatchObject({ priority: 3 });
});

it('any secret is put in as it is, every time it is named: `$&` means nothing', () => {
  const secrets = fc.oneof(fc.constantFrom('$&', '$$', '$1', "$'", '{secret}'), fc.string());
  fc.assert(
    fc.property(secrets, (secret) => {
      const { url } = request('json', 'https://a.example/{secret}/x?y={secret}', secret);
      expect(url).toBe(`https://a.example/${secret}/x?y=${secret}`);
    }),
  );
});

it('a stranger’s text arrives as text: no channel reads a mention, markup or a link that hides its address', () => {
  const hostile =
    '<!here> <https://evil.example|b> [b](https://evil.example/a_b_c) *x* &lt;\n# @anna a@b.example \\';
  const bodyOf = (format: NotifyFormat, url: string): unknown =>
    JSON.parse(JSON.stringify(request(format, url, '', { ...NOTICE, text: hostile }).body));
  expect(bodyOf('slack', 'https://hooks.slack.com/services/x')).toEqual({
    text: '&lt;!here&gt; &lt;https://evil.example|b&gt; [b](https://evil.example/a_b_c) *x* &amp;lt;\n# @anna a@b.example \\',
  });
  expect(bodyOf('discord', 'https://discord.com/api/webhooks/1/abc')).toMatchObject({
    content:
      '\\<!here> \\<https://evil.example\\|b> \\[b](https://evil.example/a_b_c) \\*x\\* &lt;\n\\# @anna a@b.example \\\\',
  });
  // No markup, not even if the address asks for it.
  const text = hostile.replace('@anna', '@\u2060anna');
  expect(bodyOf('telegram', `${TELEGRAM}?chat_id=-42&parse_mode=HTML`)).toEqual({ chat_id: '-42', text });
  const { url } = request('ntfy', 'https://ntfy.sh/t?markdown=1&auth=tk', '');
  expect([url, bodyOf('ntfy', url)]).toMatchObject(['https://ntfy.sh/?auth=tk', { message: hostile }]);
});
