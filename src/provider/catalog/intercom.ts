import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Intercom. A `ping` has no id. */
export const intercom: Provider = {
  id: 'intercom',
  name: 'Intercom',
  subject:
    '{% assign one = payload.data.item.source %}{{ one.author.name | default: one.author.email | default: one.author.type }} {{ payload.data.item.title | default: one.subject | strip_html }}',
  category: 'crm',
  verify: hmac({ header: ['X-Hub-Signature'], algorithm: 'sha1', prefix: 'sha1=' }),
  event_type: ['body:topic'],
  dedupe: ['body:id'],
  handshakes: [{ match: { method: 'HEAD', where: [] }, proof: { by: 'nothing' }, respond: { status: 200 } }],
};
