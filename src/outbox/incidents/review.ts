import { parseOwnJson } from '../../lib/own-json.ts';
import { FORGOTTEN, type Action } from '../operate/operate.ts';
import { FORGET_FALLBACK, fallbackLinks } from '../state/fallback.ts';
import { parseAttempts, type MessageRow } from '../state/message.ts';
import { beyondIn } from './beyond.ts';
import type { Look } from './context.ts';
import type { Notice, Says, Subscriber } from './entries.ts';
import { calling } from './incident.ts';
import { lookAtGroup } from './look-at-group.ts';
import { isSameNews } from './notice.ts';
import { keepHold, messageOf, originOf, planFor, saysIn } from './notify.ts';
import type { SubscriberRef } from './subscribers.ts';

/**
 * A message about incidents is to be sent now: what it says may have changed since it was queued or tried. Returns its row, which
 * says what is true now; null: there is nothing left to say, or not now, and the message is superseded. To be called in the transaction
 * that claims it.
 */
export function review(look: Look, row: MessageRow): MessageRow | null {
  if (beyondIn(row) !== null) return row;
  const { open, now } = look;
  open.notices.remove(row.seq);
  const says = parseOwnJson<Says>(row.says ?? 'null');
  const subscriber = open.subscriber(receiverOf(row));
  for (const name of says.groups) {
    const group = subscriber.groups.get(name);
    if (group !== undefined) lookAtGroup(look, group);
  }
  const sent = isAskedFor(row) ? asItIs(subscriber, row, says) : reviewed(look, subscriber, row, says);
  // What else is due, or what is not said by this message.
  open.subscriberTimes.bringForward(subscriber, now);
  if (sent === null) {
    supersede(look.sql, row.seq);
    return null;
  }
  const notice: Notice = { seq: row.seq, subscriber, says: sent.says, isTried: true, isCalling: false };
  open.notices.put(notice);
  beginCall(look, notice);
  return sent.row;
}

/** Whom a message is for. */
export const receiverOf = ({
  source,
  route,
  phone,
}: Pick<MessageRow, 'source' | 'route' | 'phone'>): SubscriberRef => ({
  source: source ?? '',
  route: route ?? '',
  phone: phone ?? '',
});

interface Sent {
  readonly row: MessageRow;
  readonly says: Says;
}

function reviewed(look: Look, subscriber: Subscriber, row: MessageRow, says: Says): Sent | null {
  const planned = planFor(look, subscriber, says.groups);
  keepHold(look, subscriber, planned);
  const { message } = planned.plan;
  if (message === null) return null;
  // What may have arrived is sent again as it was, or not at all; and the text of a fallback cannot be made again.
  if (mayHaveArrived(row) || fallbackLinks(row).of !== undefined) {
    const groups = message.groups.map(({ group }) => group);
    return isSameNews(says, saysIn(planned, groups, new Set(), subscriber)) ? { row, says } : null;
  }
  const { composed, says: made } = messageOf(look, subscriber, planned, message);
  // It is as old as it was.
  const expiresMs = row.expires_at === null ? null : row.expires_at - look.now;
  const onUncertain = row.on_uncertain === 'hold' ? 'hold' : 'retry';
  const draft = { ...composed.draft, says: made, expiresMs, onUncertain } as const;
  const origin = originOf(look, subscriber, composed);
  return { row: look.deps.rewrite(row, { draft, origin }), says: made };
}

const mayHaveArrived = ({ attempts }: MessageRow): boolean =>
  parseAttempts(attempts).some(({ outcome }) => outcome === 'uncertain');

/** A person asked to send again what may have arrived. */
const isAskedFor = (row: MessageRow): boolean =>
  row.on_uncertain === 'hold' &&
  mayHaveArrived(row) &&
  parseOwnJson<readonly Action[]>(row.actions).at(-1)?.action === 'retry';

/** It is sent if all that it says is still so. */
function asItIs(subscriber: Subscriber, row: MessageRow, says: Says): Sent | null {
  const isSo = says.incidents.every(([key, statement]) => {
    const entry = subscriber.entries.get(key);
    if (entry === undefined) return statement === 'resolved';
    return (entry.incident.resolvedAt === null) === (statement !== 'resolved');
  });
  return isSo ? { row, says } : null;
}

/** While the call is under way, the receiver may know what it says, or not. */
export function beginCall({ open, now }: Pick<Look, 'open' | 'now'>, notice: Notice): void {
  notice.isCalling = true;
  for (const [key, statement] of notice.says.incidents) {
    const entry = notice.subscriber.entries.get(key);
    if (entry !== undefined) open.put(entry.ref, calling(entry.incident, statement), entry.grouping, now);
  }
}

const supersede = (sql: SqlStorage, seq: number): unknown =>
  sql.exec(
    `UPDATE messages SET state = 'superseded', next_at = NULL, reason = 'what it says was not so any more when it could be sent',
       params = CASE forget WHEN 1 THEN '${FORGOTTEN}' ELSE params END,
       fallback = CASE forget WHEN 1 THEN ${FORGET_FALLBACK} ELSE fallback END WHERE seq = ?`,
    seq,
  );
