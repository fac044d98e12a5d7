import { jsonSample, type Provider } from './provider.ts';

const timestamp = { 'X-Slack-Request-Timestamp': '1767601800' };

/** Slack's Events API. What is inside an envelope (`event_callback`) gives the event its type. */
export const slack: Provider = {
  id: 'slack',
  name: 'Slack',
  category: 'messaging',
  docs_url: 'https://api.slack.com/apis/events-api',
  verify: {
    scheme: 'hmac',
    header: ['X-Slack-Signature'],
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: 'v0=',
    signed: 'v0:{ts}:{raw_body}',
    secret_encoding: 'utf8',
    timestamp: { header: ['X-Slack-Request-Timestamp'], unit: 's', tolerance: 300_000 },
  },
  event_type: ['body:event.type', 'body:type'],
  dedupe: ['body:event_id'],
  handshake: {
    match: { method: 'POST', where: [{ at: 'body:type', equals: 'url_verification' }] },
    verify_first: true,
    respond: { status: 200, echo: 'body:challenge' },
  },
  samples: [
    jsonSample(
      'app_mention',
      {
        team_id: 'T1DC2JH3J',
        api_app_id: 'A9KQZ2M4X',
        type: 'event_callback',
        event_id: 'Ev08MFMKH6FK',
        event_time: 1767601800,
        event: {
          type: 'app_mention',
          user: 'U061F7AUR',
          text: '<@U0LAN0Z89> the shop is down',
          ts: '1767601799.000100',
          channel: 'C0LAN2Q65',
          event_ts: '1767601799000100',
        },
      },
      timestamp,
    ),
  ],
  routes: [
    {
      name: 'mentioned',
      when: 'event.type == "app_mention"',
      to: 'team',
      send: { kind: 'text', message: 'Slack: {{ payload.event.text | plain }}' },
    },
  ],
};
