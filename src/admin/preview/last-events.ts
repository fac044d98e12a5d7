import { routeEvent } from '../../ingest/routing/match.ts';
import type { StoredEvent } from '../../outbox/read/events.ts';
import type { MessageView } from '../../answers/api-message.ts';
import { withShownLinks } from '../../render/links.ts';
import { locatedEvents, type LocatedEvent } from '../messages/events.ts';
import type { ComparedEvent, Comparison, PreviewWarning, MessageChange } from './api-preview.ts';
import { routeView } from './route.ts';
import { restoredEvent } from '../messages/replay.ts';
import { MAX_WARNINGS, previewWarnings, type PreviewSubject } from './warnings.ts';
import { pairsOf, type Pair, type PairedMessage } from './pairs.ts';

/** After this many messages, sent and rendered, no further event is compared. */
const MAX_MESSAGES = 2_000;
/** The same limit for the length of their texts (UTF-16 units), since the answer contains all of them. */
const MAX_CHARACTERS = 4_000_000;
/** The number of events that are read at once. A payload has a few MiB at most. */
const AT_ONCE = 5;
/** The number of pages that are read of an outbox's list. A page may end early, after scanning a lot. */
const MAX_PAGES = 10;

/** Compares the messages of a source's newest events with those that were sent. Sends and stores nothing. */
export async function previewLast(env: Env, subject: PreviewSubject, count: number): Promise<Comparison> {
  const listed = await newestEvents(env, subject.source.id, count);
  const events: ComparedEvent[] = [];
  const warnings: PreviewWarning[] = [];
  const left = { messages: MAX_MESSAGES, characters: MAX_CHARACTERS };
  for await (const stored of readEvents(env, listed)) {
    // The event was deleted in the meantime.
    if (stored === null) continue;
    const { compared, warnings: more } = compareEvent(stored, subject);
    warnings.push(...more);
    const messages = 'sent' in compared ? [...compared.sent, ...compared.would_send] : [];
    left.messages -= messages.length;
    left.characters -= messages.reduce((sum, { params }) => sum + JSON.stringify(params).length, 0);
    events.push(compared);
    if (Math.min(left.messages, left.characters) < 0) break;
  }
  return { events, warnings: eachOnce(warnings), summary: summaryOf(events, listed.length) };
}

async function* readEvents(env: Env, listed: readonly LocatedEvent[]) {
  for (let from = 0; from < listed.length; from += AT_ONCE) {
    const next = listed.slice(from, from + AT_ONCE);
    yield* await Promise.all(next.map(({ id, outbox }) => env.OUTBOX.getByName(outbox).readEvent(id)));
  }
}

/** Removes repeated warnings: events of one source are much alike. */
const eachOnce = (warnings: readonly PreviewWarning[]): readonly PreviewWarning[] =>
  [...new Map(warnings.map((warning) => [JSON.stringify(warning), warning])).values()].slice(0, MAX_WARNINGS);

async function newestEvents(env: Env, source: string, count: number) {
  const found: LocatedEvent[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && found.length < count; page += 1) {
    const merged = await locatedEvents(env, { source, limit: count - found.length, cursor });
    found.push(...(merged?.items ?? []));
    if (!merged?.next_cursor) break;
    cursor = merged.next_cursor;
  }
  return found;
}

function compareEvent(stored: StoredEvent, { source, ...by }: PreviewSubject) {
  const { id, type, received_at } = stored;
  const head = { event: id, type, received_at };
  const not = (why: string) => ({ compared: { ...head, not_comparable: why }, warnings: [] });
  if (!stored.stored) return not('its payload is not stored (`store: metadata`)');
  if (stored.messages_left_out !== undefined)
    return not('its messages are too large in total to read at once');
  const event = restoredEvent(stored, source, id);
  const results = routeEvent(event);
  const sent = stored.messages.map(sentMessage);
  const wouldSend = results.flatMap(({ messages }) =>
    messages.map((one): PairedMessage => {
      const { route, kind, phone, params } = withShownLinks(one);
      return { route, kind, phone, params: withSameLinks(params) };
    }),
  );
  const compared = {
    ...head,
    routes: results.map((result) => {
      const { messages: _, ...view } = routeView(event, result);
      return view;
    }),
    sent,
    would_send: wouldSend,
    changes: diffMessages(sent, wouldSend),
  };
  return { compared, warnings: previewWarnings(event, results, by) };
}

/** A link of an action in a message that was sent, and in one that would be. */
const LINK = /https?:\/\/\S{1,64}\/a\/(?:…|[a-z]\w{0,19})(?!\w)/g;

/** Replaces the links, since each receiver has their own link. That is not a change. */
const withSameLinks = (params: PairedMessage['params']): PairedMessage['params'] =>
  Object.fromEntries(
    Object.entries(params).map(([name, text]) => [name, text.replaceAll(LINK, 'https://…/a/…')]),
  );

function sentMessage({ id, state, route, kind, phone, params }: MessageView) {
  // The receiver is a separate field, as in a rendered message.
  const { phone: _, ...fields } = params;
  return { message: id, state, route: route ?? '', kind, phone, params: withSameLinks(fields) };
}

function summaryOf(events: readonly ComparedEvent[], listed: number): Comparison['summary'] {
  const count = { same: 0, changed: 0, failed: 0, not_comparable: 0 };
  for (const event of events) count[outcomeOf(event)] += 1;
  return { events: events.length, ...count, left_out: listed - events.length };
}

function outcomeOf(event: ComparedEvent): 'same' | 'changed' | 'failed' | 'not_comparable' {
  if ('not_comparable' in event) return 'not_comparable';
  if (event.routes.some(({ result }) => result === 'failed')) return 'failed';
  return event.changes.every(({ kind }) => kind === 'same') ? 'same' : 'changed';
}

export const diffMessages = (was: readonly PairedMessage[], now: readonly PairedMessage[]): MessageChange[] =>
  pairsOf(was, now).flatMap(changesOf);

function changesOf({ was, now }: Pair): MessageChange[] {
  const message = now ?? was;
  if (message === null) return [];
  const { route, phone } = message;
  if (was === null) return [{ kind: 'added', route, phone }];
  if (now === null) return [{ kind: 'removed', route, phone }];
  const [before, after] = [fieldsOf(was), fieldsOf(now)];
  const names = new Set([...before.keys(), ...after.keys()]);
  const changes = [...names].flatMap((parameter): MessageChange[] => {
    const [old, young] = [before.get(parameter) ?? null, after.get(parameter) ?? null];
    return old === young ? [] : [{ kind: 'changed', route, phone, parameter, was: old, now: young }];
  });
  return changes.length === 0 ? [{ kind: 'same', route, phone }] : changes;
}

const fieldsOf = ({ kind, params }: PairedMessage) => new Map([['kind', kind], ...Object.entries(params)]);
