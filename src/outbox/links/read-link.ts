import { HOUR, iso, MINUTE } from '../../lib/time.ts';
import { parseOwnJson, present } from '../../lib/json.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { claimedBy } from '../accept/dedupe.ts';
import type { Canary } from '../canary/canary.ts';
import { claimKey, ofEventSql } from '../state/event.ts';
import { changeRow, messageId, messageRow, messageSeq, type MessageRow } from '../state/message.ts';
import { unpack, type About, type Packed } from '../state/acceptance.ts';
import { isOfIncidents, STOP } from '../../config/compile/actions.ts';
import type { ReadContext } from '../read/read.ts';
import { NAMED_HOLDERS } from '../../render/built-in-text.ts';
import type { IncidentParts, Says } from '../incidents/entries.ts';
import { isEnd, type Incident, spanOf, escalationOf } from '../incidents/incident.ts';
import { incidentId, placeOf, readTitle } from '../incidents/store.ts';
import { rowsOf, stateOf } from '../read/incidents.ts';
import {
  type LinkMaker,
  type MessageLink,
  type MessageLinks,
  isToken,
  keyedCode,
  seqIn,
  tokenOf,
} from '../state/links.ts';

/** `at`: ms. */
export interface Pressed extends Pick<PressPayload, 'action' | 'by'> {
  readonly event: string;
  readonly at: number;
  /** Absent: the source keeps nothing of its events. */
  readonly label?: string;
  readonly message: string;
}

/** What the routes of its source see of a press. */
export interface PressPayload {
  readonly action: string;
  readonly label: string;
  readonly route: string;
  readonly by: { readonly phone: string | null; readonly name?: string };
  readonly message: string;
  /** The incident that the message shows as open, the first one of several; absent: none. */
  readonly incident?: string;
  readonly event: Scope['event'] | null;
  readonly payload: unknown;
}

export type LinkView = Readonly<NonNullable<ReturnType<typeof readLink>>>;

export interface LinkContext extends ReadContext {
  readonly now: number;
  readonly links: LinkMaker;
  readonly canary: Pick<Canary, 'answeredAt'>;
}

/** Returns a link by its token; null if the token does not belong to this outbox, or its message was deleted. */
export function readLink(context: LinkContext, token: string) {
  const { sql, tag, links, now } = context;
  const { key } = links;
  const row = messageRow({ sql }, seqIn(key, token) ?? 0);
  if (row === null || row.links === null) return null;
  const { seq, phone, kind } = row;
  // A canary has neither.
  const [source, route] = [row.source ?? '', row.route ?? ''];
  const { all, item } = parseOwnJson<MessageLinks>(row.links);
  const link = all.find(({ id }) =>
    isToken(token, tokenOf(key, links.account(), { seq, action: id, phone })),
  );
  if (link === undefined) return null;
  const incidents = incidentsOf(context, row);
  // Incidents that opened again make a new question. For `ack` and the like, so do incidents that nobody has any more.
  // The order in which a message names them does not matter.
  const isOfState = isOfIncidents(link.id);
  const askedWith = (more: (incident: LinkedIncident) => readonly unknown[]): readonly unknown[] =>
    link.id === STOP
      ? [STOP, phone]
      : isOfState || incidents.length > 0
        ? incidents.map((one) => [one.id, one.startedAt, ...more(one)].join(' ')).toSorted()
        : [row.event_id ?? seq, route, item];
  const code = (of: readonly unknown[]): string => `press:${keyedCode(key, JSON.stringify(of))}`;
  const question = code(askedWith(({ askedFrom }) => (isOfState ? [link.id, askedFrom] : [])));
  return {
    link,
    message: messageId(seq, tag),
    source,
    route,
    kind,
    phone,
    /** Empty if they are not kept. */
    params: parseOwnJson<Readonly<Record<string, string>>>(row.params),
    /** All receivers of the message share this key, which nobody else can make: the question is answered once. */
    question,
    pressed: source === '' ? answered(context, row, link) : pressedBy(context, source, question, all),
    /** The same, however often a question about the same incidents is asked again. */
    subject: code(askedWith(() => [])),
    /** The time from which it may be pressed again (ms); null if it may be pressed now. */
    restsUntil: restsUntil(link, now),
    own: all.map(({ id, label = id }) => ({
      token: tokenOf(key, links.account(), { seq, action: id, phone }),
      label,
    })),
    incidents,
    about: aboutOf(context, row),
  };
}

/** True if it is the link of a canary, which has no source. */
export const isCanary = ({ source }: Pick<LinkView, 'source'>): boolean => source === '';

function answered({ canary, tag }: LinkContext, { seq, phone }: MessageRow, { id, label }: MessageLink) {
  const at = canary.answeredAt(seq);
  const press: Omit<Pressed, 'at'> = { event: '', action: id, message: messageId(seq, tag), by: { phone } };
  return at === null ? null : { ...press, at, ...present({ label }) };
}

function pressedBy(
  context: LinkContext,
  source: string,
  question: string,
  links: readonly MessageLink[],
): Pressed | null {
  const event = claimedBy(context, claimKey(source, question));
  const [row] = context.sql
    .exec<{ type: string | null; payload: Packed; received_at: number }>(
      'SELECT type, payload, received_at FROM events WHERE id = ?',
      event ?? '',
    )
    .toArray();
  if (event === null || row === undefined) return null;
  const kept = parseOwnJson<(Omit<PressPayload, 'label'> & { label?: string }) | null>(unpack(row.payload));
  // Its payload was deleted to free space, so the person is not known any more, only the button.
  const action = kept?.action ?? (row.type ?? '').replace('action.', '');
  const label = kept === null ? links.find(({ id }) => id === action)?.label : kept.label;
  const { by, message } = kept ?? { by: { phone: null }, message: '' };
  return { event, at: row.received_at, action, by, message, ...present({ label }) };
}

/** Null if its event was deleted. `payload`: JSON, or `null` if it is not kept. */
function aboutOf({ sql }: LinkContext, { event_id }: MessageRow) {
  type Row = Omit<Scope['event'], 'received_at' | 'locale'> & {
    received_at: number;
    locale: string | null;
    payload: Packed;
  };
  const query = 'SELECT id, source, type, received_at, dedupe_key, locale, payload FROM events WHERE id = ?';
  const [row] = sql.exec<Row>(query, event_id ?? '').toArray();
  if (row === undefined) return null;
  const { payload, received_at, locale, ...facts } = row;
  const event: Scope['event'] = { ...facts, received_at: iso(received_at), ...present({ locale }) };
  // A press repeats the payload of its event, unless that is larger than a row.
  return { event, payload: typeof payload === 'string' ? payload : 'null' };
}

/** So many presses of a link are looked at in an hour, whatever they do. */
const PER_HOUR = 10;

const recentPresses = ({ presses = [] }: MessageLink, now: number): readonly number[] =>
  presses.filter((at) => Math.abs(now - at) < HOUR);

function restsUntil(link: MessageLink, now: number): number | null {
  const first = recentPresses(link, now).at(-PER_HOUR);
  return first === undefined ? null : first + HOUR;
}

/** Returns a link as it is before a press, which counts. */
export function countPress(context: LinkContext, token: string): LinkView | null {
  const { now } = context;
  const view = readLink(context, token);
  if (view?.restsUntil === null)
    changeLink(context, view, { presses: [...recentPresses(view.link, now), now] });
  return view;
}

function changeLink(
  { sql, tag }: Pick<LinkContext, 'sql' | 'tag'>,
  { message, link: { id } }: LinkView,
  change: Partial<MessageLink>,
): void {
  const row = messageRow({ sql }, messageSeq(message, tag) ?? 0);
  if (row === null || row.links === null) return;
  const links = parseOwnJson<MessageLinks>(row.links);
  const all = links.all.map((link) => (link.id === id ? { ...link, ...change } : link));
  changeRow(sql, row, { links: JSON.stringify({ ...links, all }) });
}

/** For so long a press can be taken back (ms), through the link that was pressed. */
export const TAKE_BACK_MS = MINUTE;

/** Once, so that nobody can fill the phones of the others. Everybody who knew was notified of a resolution: it stays. */
export const canTakeBack = ({ message, link, pressed, subject }: LinkView, now: number): boolean =>
  pressed !== null &&
  pressed.event !== '' &&
  link.id !== 'resolve' &&
  link.takenBack !== subject &&
  pressed.message === message &&
  pressed.action === link.id &&
  // The clocks of two machines differ, so the press may seem to come later.
  Math.abs(now - pressed.at) < TAKE_BACK_MS;

/**
 * Opens its question again. Repeatable as long as nobody has pressed since (`isRepeat`). `seqs`: the messages that it
 * made. Null if it cannot be taken back.
 */
export function takeBack(context: LinkContext, token: string) {
  const { sql, now } = context;
  const view = readLink(context, token);
  if (view === null) return null;
  const { pressed } = view;
  const key = claimKey(view.source, view.question);
  const event =
    pressed === null ? takenBackBefore(context, view, key) : canTakeBack(view, now) ? pressed.event : null;
  if (event === null) return null;
  sql.exec('UPDATE dedupe_claims SET expires_at = ? WHERE key = ?', TAKEN_BACK, key);
  changeLink(context, view, { takenBack: view.subject });
  const rows = sql
    .exec<{ seq: number }>(`SELECT seq FROM messages WHERE seq IN ${ofEventSql(event)}`)
    .toArray();
  return { view, event, isRepeat: pressed === null, seqs: rows.map(({ seq }) => seq) };
}

/** The end of a claim that was taken back; no other claim has it. */
const TAKEN_BACK = 0;

/** Returns the press that answered the question last, if it was taken back. */
function takenBackBefore({ sql }: LinkContext, { link, message }: LinkView, key: string): string | null {
  const [row] = sql
    .exec<{ id: string; payload: Packed }>(
      `SELECT id, payload FROM dedupe_claims JOIN events ON id = event_id WHERE key = ? AND expires_at = ${TAKEN_BACK}`,
      key,
    )
    .toArray();
  if (row === undefined) return null;
  const kept = parseOwnJson<Pick<PressPayload, 'action' | 'message'> | null>(unpack(row.payload));
  return kept?.action === link.id && kept.message === message ? row.id : null;
}

export type LinkedIncident = ReturnType<typeof linkedIncidents>[number];

const MAX_RECEIVERS = 1_000;

/** Of each receiver's row only the state is read; an item, which may be large, only where a text names it. */
export function linkedIncidents(
  context: ReadContext,
  { source, route }: Omit<IncidentParts, 'key'>,
  keys: readonly string[],
) {
  const named = new Map<string, number>();
  return keys.flatMap((key) => {
    const rows = statesOf(context, { source, route, key });
    const [newest] = rows;
    if (newest === undefined) return [];
    const { acknowledged } = newest.incident;
    const { to } = spanOf(newest.incident);
    const notified: readonly string[] = rows.flatMap(({ phone, incident, believed }) =>
      phone === '' || incident.resolvedAt !== null || believed === 'closed' ? [] : [phone],
    );
    const isNamed = notified.some((phone) => (named.get(phone) ?? 0) < NAMED_HOLDERS);
    for (const phone of notified) named.set(phone, (named.get(phone) ?? 0) + 1);
    return {
      id: incidentId(context.sql, { source, route, key }),
      key,
      /** Empty if a text to those who were notified only counts it. */
      title: isNamed ? readTitle(context.sql, { source, route, key, phone: newest.phone }) : '',
      state: stateOf(newest.incident),
      /** The last time that it opened for any receiver: the same, whoever was notified of its resolution. */
      startedAt: iso(Math.max(...rows.map(({ incident }) => incident.openedAt))),
      /** Changes when receivers are asked again who has it. */
      askedFrom: Math.max(...rows.map(({ incident }) => escalationOf(incident).from)),
      acknowledged: acknowledged && { by: acknowledged.by, at: iso(acknowledged.at) },
      resolvedAt: to === null ? null : iso(to),
      /** The numbers that were, or may have been, notified that it is open. */
      notified,
    };
  });
}

/** An incident of each of its receivers, the newest first. `believed`: what the receiver may know now. */
const statesOf = ({ sql, open }: ReadContext, of: IncidentParts) =>
  rowsOf<{ phone: string; state: string }>(sql, of, 'phone, state', MAX_RECEIVERS).map(({ phone, state }) => {
    const incident = parseOwnJson<Incident>(state);
    const { believed } = open?.get({ ...of, phone })?.incident ?? incident;
    return { phone, incident, believed };
  });

/** The incidents that a message shows as open, including those that its receiver already knew of. */
export function incidentsOf(context: ReadContext, row: MessageRow): readonly LinkedIncident[] {
  const { source, route, says, about } = row;
  if (says === null || source === null || route === null) return [];
  // A message about who has the incidents has no links.
  const { incidents = [], also = [] } = parseOwnJson<Partial<Says>>(says);
  const named = parseOwnJson<About | null>(about ?? 'null')?.incidents ?? [];
  // Only so many are named: what is news is in its statements, too.
  const shown = named.flatMap((id) => placeOf(context.sql, id)?.key ?? []);
  const keys = new Set([...shown, ...also, ...incidents.map(([key]) => key)]);
  for (const [key, statement] of incidents) if (isEnd(statement)) keys.delete(key);
  return linkedIncidents(context, { source, route }, [...keys]);
}
