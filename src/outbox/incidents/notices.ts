import { parseOwnJson } from '../../lib/own-json.ts';
import { parseAttempts, type MessageRow } from '../state/message.ts';
import { DUE_SQL } from '../state/states.ts';
import type { Group, Notice, Says, Subscriber } from './entries.ts';
import type { SaysBeyond } from './beyond.ts';

/** The messages about incidents that are on their way, in memory. Their rows say the same. */
export class Notices {
  readonly #bySeq = new Map<number, Notice>();

  get(seq: number): Notice | null {
    return this.#bySeq.get(seq) ?? null;
  }

  all(): readonly Notice[] {
    return [...this.#bySeq.values()];
  }

  /** Its groups wait for it from now on. */
  put(notice: Notice): void {
    this.remove(notice.seq);
    this.#bySeq.set(notice.seq, notice);
    for (const name of namesIn(notice)) {
      const { notices, groups, due } = notice.subscriber;
      notices.set(name, notice);
      const group = groups.get(name);
      if (group !== undefined) due.delete(group);
    }
  }

  /** It is on its way no more. */
  remove(seq: number): Notice | null {
    const notice = this.get(seq);
    if (notice === null) return null;
    this.#bySeq.delete(seq);
    const { notices } = notice.subscriber;
    for (const name of namesIn(notice)) if (notices.get(name)?.seq === seq) notices.delete(name);
    return notice;
  }
}

/** The groups that wait for a message. One that only counts what was missed is about none, and its subscriber waits. */
const namesIn = ({ says }: Notice): readonly string[] => (says.groups.length === 0 ? [''] : says.groups);

/** Whether a message about this group is on its way. */
export const isOnItsWay = ({ subscriber, name }: Group): boolean => subscriber.notices.has(name);

/**
 * Whether a subscriber has to wait for a message of its own: one that was not tried yet says all that is true when its call goes out,
 * and one that ends what was held back counts what was missed.
 */
export const mustWait = ({ notices }: Subscriber): boolean =>
  [...notices.values()].some(({ isTried, says }) => !isTried || says.endsHold);

/** Reads those that are on their way, when the object starts. */
export function loadNotices(
  sql: SqlStorage,
  notices: Notices,
  subscriberOf: (row: Pick<MessageRow, 'source' | 'route' | 'phone'>) => Subscriber,
): void {
  const rows = sql.exec<
    Pick<MessageRow, 'seq' | 'source' | 'route' | 'phone' | 'attempts'> & { says: string }
  >(
    `SELECT seq, source, route, phone, says, attempts FROM messages WHERE says IS NOT NULL AND state IN ${DUE_SQL}`,
  );
  for (const row of rows) {
    const says = parseOwnJson<Says | SaysBeyond>(row.says);
    if (says.form === 'beyond') continue;
    const isTried = parseAttempts(row.attempts).length > 0;
    notices.put({ seq: row.seq, subscriber: subscriberOf(row), says, isTried, isCalling: false });
  }
}
