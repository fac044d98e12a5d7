import type { Provider } from '../provider.ts';
import { discordEd25519, FIVE_MINUTES } from '../schemes.ts';

/** Events of a Discord app. When Discord tests the address, it requires a Content-Type even without content. */
export const discordWebhookEvents: Provider = {
  id: 'discord-webhook-events',
  name: 'Discord Webhook Events',
  subject:
    '{{ payload.event.data.user.global_name | default: payload.event.data.user_id }} {{ payload.event.data.guild.name }}',
  category: 'messaging',
  // Discord repeats a delivery for ten minutes, and no document says that it signs again. A replay is a duplicate.
  verify: discordEd25519(3 * FIVE_MINUTES),
  event_type: ['body:event.type'],
  // The time has microseconds. An event without an id is about a user.
  dedupe: [
    ['body:event.type', 'body:event.timestamp', 'body:event.data.id'],
    ['body:event.type', 'body:event.timestamp', 'body:event.data.user.id'],
  ],
  handshakes: [
    {
      match: { method: 'POST', where: [{ at: 'body:type', equals: '0' }] },
      proof: { by: 'signature' },
      respond: { status: 204, headers: { 'content-type': 'application/json' } },
    },
  ],
  answers: [{ status: 204 }],
};
