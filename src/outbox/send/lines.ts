import type { AccountPolicy } from '../../config/compiled/config.ts';
import type { Claims } from './claims.ts';

/** The maximum number of receivers that are examined: a status must not take a long time. */
const MAX_LOOKS = 2_000;

/** Receivers that have had their messages of the hour, with the messages that wait for them. Times in ms. */
interface AtCap {
  readonly receivers: number;
  readonly messages: number;
  /** The times when the first and the last of these messages may be sent. */
  readonly nextAt: number;
  readonly lastAt: number;
}

/** The effect of the receivers' limits on messages that are due. */
interface Lines {
  readonly atCap: AtCap | null;
  /** The time when the last message may be sent, by the limits alone (ms). */
  readonly lastAt: number;
  /** False if there are more receivers or messages, which may take longer. */
  readonly isWhole: boolean;
}

/** Computes this from the messages in memory, in the order of sending; each of a receiver's lines takes two looks. */
export function receiverLines(
  { queue, pace }: Pick<Claims, 'queue' | 'pace'>,
  { perRecipient }: Pick<AccountPolicy, 'perRecipient'>,
  now: number,
): Lines {
  const { turns } = queue;
  if (perRecipient === null || queue.atMost === 0) return { atCap: null, lastAt: now, isWhole: true };
  const lines = turns.lines(MAX_LOOKS).flatMap(({ phone, standing, waiting }) => {
    const opensAt = (ahead: number): number =>
      pace.nextSendToAt(perRecipient, { phone, standing }, now, ahead);
    return [{ phone, waiting, nextAt: opensAt(0), lastAt: opensAt(waiting - 1) }];
  });
  const full = lines.filter(({ nextAt }) => nextAt > now);
  const lastOf = (some: typeof lines): number => Math.max(now, ...some.map(({ lastAt }) => lastAt));
  return {
    atCap:
      full.length === 0
        ? null
        : {
            receivers: new Set(full.map(({ phone }) => phone)).size,
            messages: full.reduce((sum, { waiting }) => sum + waiting, 0),
            nextAt: Math.min(...full.map(({ nextAt }) => nextAt)),
            lastAt: lastOf(full),
          },
    lastAt: lastOf(lines),
    isWhole: turns.receivers <= MAX_LOOKS && queue.atMost <= turns.size,
  };
}
