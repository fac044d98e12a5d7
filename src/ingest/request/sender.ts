import type { Offer } from '../../registry/pairing.ts';
import { redact } from '../../lib/redact.ts';
import type { Arrival } from './event.ts';

/** Long enough for an IPv6 address with a zone, and for what providers call themselves. */
const MAX_ADDRESS = 64;
const MAX_AGENT = 120;
/**
 * The number of characters of a header that are read: a header may have a hundred KB, and is read before the sender is
 * known.
 */
const MAX_READ = 1_024;

/**
 * Describes the sender of a request in a form that is safe to show: printable, on one line, of limited length, without
 * these secrets.
 */
export function senderOf({ headers, receivedAt }: Arrival, hidden: readonly string[]): Offer {
  const agent = headers.get('user-agent') ?? '';
  const begin = agent.slice(0, MAX_READ);
  return {
    at: receivedAt,
    address: shown(headers.get('cf-connecting-ip'), MAX_ADDRESS),
    userAgent: shown(redact(begin, hidden, begin.length < agent.length), MAX_AGENT),
  };
}

/** The sender chooses a header's bytes; anything but printable ASCII could change how the text around it is shown. */
function shown(text: string | null, max: number): string | null {
  const clean = (text ?? '')
    .slice(0, max)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .trim();
  return clean === '' ? null : clean;
}

/** Describes a sender for the list of rejections. */
export const describeSender = ({ address, userAgent }: Offer): string =>
  `${address ?? 'an unknown address'}${userAgent === null ? '' : `, which calls itself ${JSON.stringify(userAgent)}`}`;
