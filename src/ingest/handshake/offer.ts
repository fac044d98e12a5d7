import type { Offer } from '../../registry/pairing.ts';
import type { Arrival } from '../request/event.ts';

/** Long enough for an IPv6 address with a zone, and for what providers call themselves. */
const MAX_ADDRESS = 64;
const MAX_AGENT = 120;

/** Who hands a key over, as data that a person may be shown: printable, on one line, bounded. */
export const offerOf = ({ headers, receivedAt }: Arrival): Offer => ({
  at: receivedAt,
  address: shown(headers.get('cf-connecting-ip'), MAX_ADDRESS),
  userAgent: shown(headers.get('user-agent'), MAX_AGENT),
});

/** Headers are bytes of the sender's choice; what is no printable ASCII could draw or turn the text around it. */
function shown(text: string | null, max: number): string | null {
  const clean = (text ?? '')
    .slice(0, max)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .trim();
  return clean === '' ? null : clean;
}

/** In words, for the list of rejections. */
export const describeOffer = ({ address, userAgent }: Offer): string =>
  `${address ?? 'an unknown address'}${userAgent === null ? '' : `, which calls itself ${JSON.stringify(userAgent)}`}`;
