import type { MessageView } from '../../src/outbox/answers/api-message.ts';
import type { Call } from '../../simulator/call-log.ts';

/** The fields of a message that give its order; its text is the webhook's id, which sorts as the webhooks were posted. */
type Reported = Pick<MessageView, 'phone' | 'params'> & {
  readonly attempts: readonly { readonly at: string }[];
};

/** The fields of a call that give its order. */
type Arrived = Pick<Call, 'to' | 'params' | 'delivered'>;

/** Sent by its first attempt. */
export const isNeverRetried = ({ attempts }: Pick<Reported, 'attempts'>): boolean => attempts.length === 1;

/**
 * Messages to one receiver leave in the order accepted, except that one that is being
 * retried holds up nothing. So those that were never retried arrive in order, whatever came between. Returns those that
 * came after one accepted later. `calls` are in the order of arrival.
 */
export function overtaken(messages: readonly Reported[], calls: readonly Arrived[]): readonly string[] {
  const inLine = new Set(messages.filter(isNeverRetried).map(textOf));
  const arrived = calls.filter((call) => call.delivered && inLine.has(textOf(call)));
  return outOfOrder(arrived.map((call) => ({ to: call.to, rank: textOf(call), text: textOf(call) })));
}

/**
 * The other half of the rule: only retries go out of line, so the first attempts are in order too. Returns the messages
 * whose first attempt was before that of one accepted earlier.
 */
export function triedTooEarly(messages: readonly Reported[]): readonly string[] {
  const accepted = messages.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  return outOfOrder(
    accepted.map((message) => ({
      to: message.phone,
      rank: message.attempts[0]?.at ?? '',
      text: textOf(message),
    })),
  );
}

const textOf = ({ params }: { params: Readonly<Record<string, string>> }): string => params['message'] ?? '';

/** Those whose rank is below that of an earlier one for the same receiver. */
function outOfOrder(
  ranked: readonly { readonly to: string | null; readonly rank: string; readonly text: string }[],
): readonly string[] {
  const highest = new Map<string | null, string>();
  return ranked.flatMap(({ to, rank, text }) => {
    if (rank < (highest.get(to) ?? '')) return [text];
    highest.set(to, rank);
    return [];
  });
}
