import type { Message } from '../../api/types.ts';
import { ago, number } from '../../lib/format.ts';
import { t } from '../../texts/texts.ts';
import { reasonText } from './gateway-words.ts';

type Waits = NonNullable<Message['waits']>;

/** What a message waits for and until when, in a few words. `now`: ms. */
export function waitsText(waits: Waits, now: number): string {
  const words = t.messages.waits;
  const until = waits.until === undefined ? '' : timeTo(waits.until, now);
  const [attempt, of] = [number(waits.attempt ?? 0), number(waits.of ?? 0)];
  if (waits.for === 'retry')
    return until === '' ? words.retry(attempt, of) : words.retryAt(attempt, of, until);
  const text = textOf(waits);
  return until === '' ? text : words.until(text, until);
}

function textOf({ for: what, detail, per_hour }: Waits): string {
  const words = t.messages.waits;
  switch (what) {
    case 'pause':
      return words.pause(detail ?? words.somebody);
    case 'login':
      return words.login(detail ?? '');
    case 'receiver':
      return words.receiver(number(per_hour ?? 0));
    case 'circuit':
    case 'delay':
    case 'pace':
    case 'turn':
      return words[what];
    default:
      // A relay of a later version may know of more.
      return what;
  }
}

/** What is due is not "3 seconds ago": it is sent now. */
const timeTo = (until: string, now: number): string => ago(Math.max(new Date(until).getTime(), now), now);

/** Why a message is where it is: what it waits for, else what became of it; empty: there is nothing to say. */
export const whyText = (
  message: Pick<Message, 'waits' | 'reason' | 'attempts' | 'state'>,
  now: number,
): string => {
  const { waits } = message;
  const waiting = waits === undefined ? '' : waitsText(waits, now);
  return [waiting, reasonText(message)].filter((text) => text !== '').join(' · ');
};
