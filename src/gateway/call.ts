import { err, ok, type Result } from '../lib/result.ts';
import { gatewayDigits } from '../lib/numbers.ts';
import { isMessageKind, KIND_NAMES, MESSAGE_KINDS, type SendCall } from './kinds.ts';

/** An unchecked call: from the store, or from a person. */
interface LooseCall {
  readonly kind: string;
  readonly phone: string | null;
  readonly params: Readonly<Record<string, string>>;
}

export type ReceiverRule = Readonly<{ pattern: RegExp; what: string }>;

export const PHONES: ReceiverRule = {
  pattern: gatewayDigits,
  what: 'digits that start with the country code',
};

/** The longest address of a gateway, in UTF-16 units. A document's pattern may read no more of a payload. */
const MAX_ADDRESS = 256;

export const takes = ({ pattern }: ReceiverRule, receiver: string): boolean =>
  receiver.length <= MAX_ADDRESS && pattern.test(receiver);

const MAX_SHOWN = 40;

/** Returns a valid call, or the error in it. Does not quote texts and phone numbers. */
export const checkCall = (call: LooseCall, receivers: ReceiverRule = PHONES): Result<SendCall, string> =>
  isSendCall(call, receivers) ? ok(call) : err(fault(call, receivers) ?? 'this is not a call to the gateway');

const isSendCall = (call: LooseCall, receivers: ReceiverRule): call is LooseCall & SendCall =>
  fault(call, receivers) === null;

function fault({ kind, phone, params }: LooseCall, receivers: ReceiverRule): string | null {
  if (!isMessageKind(kind))
    return `there is no kind \`${kind.slice(0, MAX_SHOWN)}\`; the kinds are ${KIND_NAMES.join(', ')}`;
  const { hasReceiver, params: known } = MESSAGE_KINDS[kind];
  if (!hasReceiver && phone !== null) return `a \`${kind}\` message has no receiver`;
  if (hasReceiver && phone === null) return `a \`${kind}\` message needs a receiver`;
  if (phone !== null && !takes(receivers, phone)) return `the receiver must be ${receivers.what}`;
  const unknown = Object.keys(params).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined)
    return `a \`${kind}\` message has no parameter \`${unknown.slice(0, MAX_SHOWN)}\``;
  const empty = Object.entries(known).find(([name, one]) => !one.isOptional && !params[name]?.trim());
  return empty === undefined
    ? null
    : `a \`${kind}\` message needs the parameter \`${empty[0]}\`, and it is empty`;
}

/** Of the 2 MB of a message's row: four texts of 65,536 characters in any language fit, beside the attempts. */
const MAX_PARAMS_BYTES = 800_000;

/** The reason why these parameters do not fit into a message's row; null if they fit. */
export function whyTooLarge(params: Readonly<Record<string, string>>): string | null {
  const units = Object.values(params).reduce((sum, text) => sum + text.length, 0);
  // A UTF-16 unit takes at most six bytes as JSON, so few messages have to be measured.
  if (6 * units <= MAX_PARAMS_BYTES / 2) return null;
  const bytes = new TextEncoder().encode(JSON.stringify(params)).byteLength;
  return bytes <= MAX_PARAMS_BYTES
    ? null
    : `has ${bytes} bytes as JSON with all its parameters; ${MAX_PARAMS_BYTES} is the limit`;
}
