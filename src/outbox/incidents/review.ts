import { parseOwnJson } from '../../lib/own-json.ts';
import type { Action } from '../operate/operate.ts';
import { fallbackLinks, fallbackText } from '../state/fallback.ts';
import { parseAttempts, type MessageRow } from '../state/message.ts';
import { beyondIn } from './beyond.ts';
import type { Look } from './context.ts';
import type { Entry, Subscriber } from './entries.ts';
import { maybeNotified, type Belief } from './incident.ts';
import { lookAtGroup } from './look-at-group.ts';
import { isSame, isSameNews } from './notice.ts';
import type { Notice, Says } from './entries.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { keepHold, messageOf, originOf, planFor, saysIn } from './notify.ts';

/** A text that is not older than this (ms) is sent as it is, if what it says is still so. */
const FRESH_MS = 60_000;

/**
 * A message about incidents is to be sent now: what it says may have changed since it was queued or tried. Returns its row, which
 * says what is true now; null: there is nothing left to say, or not now, and the message is superseded. To be called in the transaction
 * that claims it.
 */
export function review(look: Look, row: MessageRow): MessageRow | null {
  if (beyondIn(row) !== null) return row;
  const { open, notices, now } = look;
  const before = notices.remove(row.seq);
  const says = parseOwnJson<Says>(row.says ?? 'null');
  const subscriber =
    before?.subscriber ??
    open.subscriber({ source: row.source ?? '', route: row.route ?? '', phone: row.phone ?? '' });
  for (const name of says.groups) {
    const group = subscriber.groups.get(name);
    if (group !== undefined) lookAtGroup(look, group);
  }
  const sent = isAskedFor(row)
    ? asItIs(open, subscriber, row, says)
    : reviewed(look, subscriber, row, says, before);
  // What else is due, or what is not said by this message.
  open.subscriberTimes.bringForward(subscriber, now);
  if (sent === null) {
    supersede(look.sql, row.seq);
    return null;
  }
  const notice: Notice = {
    seq: row.seq,
    subscriber,
    says: sent.says,
    isTried: true,
    composedAt: sent.composedAt,
    before: null,
  };
  notices.put(notice);
  expectAnswer(look, notice);
  return sent.row;
}

interface Sent {
  readonly row: MessageRow;
  readonly says: Says;
  readonly composedAt: number | null;
}

function reviewed(
  look: Look,
  subscriber: Subscriber,
  row: MessageRow,
  says: Says,
  before: Notice | null,
): Sent | null {
  const planned = planFor(look, subscriber, says.groups);
  keepHold(look, subscriber, planned);
  const { message } = planned.plan;
  if (message === null) return null;
  const groups = message.groups.map(({ group }) => group);
  const now = saysIn(planned, groups, new Set(), subscriber);
  const composedAt = before?.composedAt ?? null;
  const asBefore = { row, says, composedAt };
  // What may have arrived is sent again as it was, or not at all; and the text of a fallback cannot be made again.
  if (mayHaveArrived(row) || fallbackLinks(row).of !== undefined)
    return isSameNews(says, now) ? asBefore : null;
  if (composedAt !== null && look.now - composedAt < FRESH_MS && isSame(says, now)) return asBefore;
  const made = messageOf(look, subscriber, planned, message);
  return {
    row: rewrite(look, subscriber, row, made),
    says: made.says,
    composedAt: look.now,
  };
}

const mayHaveArrived = ({ attempts }: MessageRow): boolean =>
  parseAttempts(attempts).some(({ outcome }) => outcome === 'uncertain');

/** A person asked to send again what may have arrived. */
const isAskedFor = (row: MessageRow): boolean =>
  row.on_uncertain === 'hold' &&
  mayHaveArrived(row) &&
  parseOwnJson<readonly Action[]>(row.actions).at(-1)?.action === 'retry';

/** It is sent if all that it says is still so. */
function asItIs(open: OpenIncidents, subscriber: Subscriber, row: MessageRow, says: Says): Sent | null {
  const isSo = says.incidents.every(([key, statement]) => {
    const entry = entryOf(open, subscriber, key);
    if (entry === null) return statement === 'resolved';
    return (entry.incident.resolvedAt === null) === (statement !== 'resolved');
  });
  return isSo ? { row, says, composedAt: null } : null;
}

/** The entry that a message says something of; null: it is closed. */
export const entryOf = (
  open: OpenIncidents,
  { source, route, phone }: Subscriber,
  key: string,
): Entry | null => open.get({ source, route, phone, key });

/** While the call is under way, the receiver may know what it says, or not. */
export function expectAnswer({ open, now }: Pick<Look, 'open' | 'now'>, notice: Notice): void {
  const before = new Map<string, Belief>();
  for (const [key, statement] of notice.says.incidents) {
    const entry = entryOf(open, notice.subscriber, key);
    if (entry === null) continue;
    before.set(key, entry.incident.believed);
    const incident = maybeNotified(entry.incident, statement);
    if (incident !== entry.incident) open.put(entry.ref, incident, entry.grouping, now);
  }
  notice.before = before;
}

function rewrite(
  look: Look,
  subscriber: Subscriber,
  row: MessageRow,
  { composed, says }: ReturnType<typeof messageOf>,
): MessageRow {
  const { draft } = composed;
  const { event, configVersion } = originOf(look, subscriber, composed);
  const next = {
    kind: draft.kind,
    params: JSON.stringify(draft.params),
    reason: draft.reason ?? null,
    about: JSON.stringify(draft.about ?? null),
    says: JSON.stringify(says),
    fallback: fallbackText(draft.fallback),
    forget: draft.forget ? 1 : 0,
    event_id: event,
    config_version: configVersion,
  };
  look.sql.exec(
    `UPDATE messages SET kind = ?, params = ?, reason = ?, about = ?, says = ?, fallback = ?, forget = ?, event_id = ?,
       config_version = ? WHERE seq = ?`,
    ...Object.values(next),
    row.seq,
  );
  return { ...row, ...next };
}

const supersede = (sql: SqlStorage, seq: number): unknown =>
  sql.exec(
    `UPDATE messages SET state = 'superseded', next_at = NULL, reason = 'what it says was not so any more when it could be sent',
       params = CASE forget WHEN 1 THEN '{}' ELSE params END WHERE seq = ?`,
    seq,
  );
