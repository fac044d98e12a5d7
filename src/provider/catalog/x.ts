import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** X's Account Activity. The name of the list in the body shows what happened, so an event has no type. */
export const x: Provider = {
  id: 'x',
  name: 'X (Account Activity)',
  subject:
    '{{ payload.tweet_create_events[0].user.name | default: payload.favorite_events[0].user.name }} {{ payload.tweet_create_events[0].text | default: payload.favorite_events[0].favorited_status.text | default: payload.direct_message_events[0].message_create.message_data.text }}',
  category: 'messaging',
  verify: hmac({ header: ['x-twitter-webhooks-signature'], prefix: 'sha256=', encoding: 'base64' }),
  event_type: [],
  // The same post comes once for each account that it concerns.
  dedupe: [
    ['body:for_user_id', 'body:direct_message_events.0.id'],
    ['body:for_user_id', 'body:tweet_create_events.0.id_str'],
    ['body:for_user_id', 'body:favorite_events.0.id'],
  ],
  handshakes: [
    {
      match: { method: 'GET', where: [{ at: 'query:crc_token' }] },
      proof: { by: 'nothing' },
      respond: {
        status: 200,
        body: {
          json: { response_token: { hmac: 'query:crc_token', encoding: 'base64', prefix: 'sha256=' } },
        },
      },
    },
  ],
  answers: [{ status: 200 }],
};
