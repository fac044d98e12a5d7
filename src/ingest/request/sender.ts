import type { Offer } from '../../registry/pairing.ts';
import { redact } from '../../lib/redact.ts';
import type { Arrival } from './event.ts';

/** Long enough for an IPv6 address with a zone, and for what providers call themselves. */
const MAX_ADDRESS = 64;
const MAX_AGENT = 120;

/**
 * Who sends a request, as data that a person may be shown: printable, on one line, bounded, without these secrets.
 */
export const senderOf = ({ headers, receivedAt }: Arrival, hidden: readonly string[]): Offer => ({
  at: receivedAt,
  address: shown(headers.get('cf-connecting-ip'), MAX_ADDRESS),
  userAgent: shown(redact(headers.get('user-agent') ?? '', hidden), MAX_AGENT),
});

/** The sender chooses a header's bytes; anything but printable ASCII could change how the text around it is shown. */
function shown(text: string | null, max: number): string | null {
  const clean = (text ?? '')
    .slice(0, max)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .trim();
  return clean === '' ? null : clean;
}

/** As text, for the list of rejections. */
export const describeSender = ({ address, userAgent }: Offer): string =>
  `${address ?? 'an unknown address'}${userAgent === null ? '' : `, which calls itself ${JSON.stringify(userAgent)}`}`;
