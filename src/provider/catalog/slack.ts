import type { Provider } from '../provider.ts';
import { FIVE_MINUTES, hmac } from '../schemes.ts';

/**
 * Slack's Events API, slash commands and buttons. The event inside an envelope (`event_callback`) has the type. The
 * type of a command is the command itself.
 */
export const slack: Provider = {
  id: 'slack',
  name: 'Slack',
  subject:
    '{{ payload.event.text | default: payload.event.files[0].name | default: payload.event.message.text | default: payload.text }}',
  category: 'messaging',
  verify: hmac({
    header: ['X-Slack-Signature'],
    prefix: 'v0=',
    signed: 'v0:{ts}:{raw_body}',
    timestamp: { header: ['X-Slack-Request-Timestamp'], unit: 's', tolerance: FIVE_MINUTES },
  }),
  event_type: ['body:event.type', 'body:type', 'body:command'],
  dedupe: ['body:event_id', 'body:trigger_id'],
  handshakes: [
    {
      match: { method: 'POST', where: [{ at: 'body:type', equals: 'url_verification' }] },
      proof: { by: 'signature' },
      respond: { status: 200, body: { text: { echo: 'body:challenge' } } },
    },
  ],
  answers: [
    {
      when: [{ at: 'body:command' }],
      status: 200,
      body: '{"response_type":"ephemeral","text":"Received."}',
      content_type: 'application/json',
    },
    // Slack treats the body of an answer to a form or button as instructions.
    { when: [{ at: 'body:event_id', absent: true }], status: 200, body: '' },
  ],
};
