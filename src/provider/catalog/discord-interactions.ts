import type { Provider } from '../provider.ts';
import { discordEd25519, FIVE_MINUTES } from '../schemes.ts';

const JSON_TYPE = 'application/json';

/** Only the author of the command sees this answer (flag 64). */
const RECEIVED = '{"type":4,"data":{"content":"Received.","flags":64}}';

/** Discord shows "did not respond" unless each kind of interaction gets its own kind of answer within three seconds. */
export const discordInteractions: Provider = {
  id: 'discord-interactions',
  name: 'Discord interactions',
  subject:
    '{{ payload.data.name }} {{ payload.member.user.global_name | default: payload.user.global_name }}',
  category: 'messaging',
  // A person waits for the answer, so nothing is repeated.
  verify: discordEd25519(FIVE_MINUTES),
  event_type: ['body:type'],
  dedupe: ['body:id'],
  handshakes: [
    {
      match: { method: 'POST', where: [{ at: 'body:type', equals: '1' }] },
      proof: { by: 'signature' },
      respond: { status: 200, body: { json: { type: 1 } } },
    },
  ],
  answers: [
    // A command.
    {
      when: [{ at: 'body:type', equals: '2' }],
      status: 200,
      body: RECEIVED,
      content_type: JSON_TYPE,
    },
    // A button or menu. The answer leaves its message unchanged.
    {
      when: [{ at: 'body:type', equals: '3' }],
      status: 200,
      body: '{"type":6}',
      content_type: JSON_TYPE,
    },
    // Autocompletion while somebody types.
    {
      when: [{ at: 'body:type', equals: '4' }],
      status: 200,
      body: '{"type":8,"data":{"choices":[]}}',
      content_type: JSON_TYPE,
    },
    // A form.
    {
      when: [{ at: 'body:type', equals: '5' }],
      status: 200,
      body: RECEIVED,
      content_type: JSON_TYPE,
    },
  ],
};
