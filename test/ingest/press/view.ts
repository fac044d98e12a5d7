import type { LinkView } from '../../../src/outbox/links/read-link.ts';
import { START } from '../../outbox/support.ts';

/** A link to answer `yes`, which nobody has pressed. */
export const view = (over: Partial<LinkView> = {}): LinkView => ({
  link: { id: 'yes', label: 'Yes', until: START + 1_000 },
  message: 'msg_1',
  source: 'shop',
  route: 'ask',
  kind: 'text',
  phone: '4915112345678',
  params: { message: 'May we?' },
  question: 'press:1',
  subject: 'press:1',
  restsUntil: null,
  own: [],
  pressed: null,
  incidents: [],
  about: null,
  ...over,
});
