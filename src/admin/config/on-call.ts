import * as z from 'zod/mini';
import { localTextAt } from '../../config/compiled/hours.ts';
import {
  listedOverride,
  type OverrideByHand,
  turnsOfList,
  onCallAt,
  onCallBetween,
  overrideOf,
  type OnCallPeriod,
  type Override,
} from '../../config/compiled/rotation.ts';
import { publicUrl } from '../../config/public-url.ts';
import { registry, readSet } from '../../config/load.ts';
import { overrideSchema, recipientsSchema } from '../../config/documents/alerting-schema.ts';
import { isObject } from '../../lib/json.ts';
import { noSuch } from '../../config/documents/unknown-name.ts';
import { DAY, iso } from '../../lib/time.ts';
import { log, fault } from '../../lib/log.ts';
import { type FieldError, fieldError, type Fault, NOWHERE, problemResponse } from '../../lib/problem.ts';
import { announce } from '../../outbox/many-outboxes.ts';
import { MAX_OVERRIDES_BY_HAND } from '../../registry/overlay.ts';
import { words } from '../../registry/view.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { conflict, invalid, moment, notFound, invalidField } from '../request/input.ts';
import type { ShownOverride } from './api-config.ts';
import { answer, ifMatch, publishQuery, type Publisher } from './config.ts';
import { equalsInConstantTime } from '../../lib/constant-time.ts';
import { Failures } from '../../lib/failures.ts';
import { tooMany } from '../auth/login.ts';

const RANGE_MS = 28 * DAY;
const MAX_RANGE_MS = 92 * DAY;
const MAX_SPANS = 1_000;

const shown = ({ person, since, until }: OnCallPeriod) => ({
  person,
  since: since === null ? null : iso(since),
  until: until === null ? null : iso(until),
});

export const onCallRoutes = {
  getOnCall: apiRoute('GET /recipients/{name}/on-call', 'viewer', {
    view: {
      ...words('name', 'timezone', 'at', 'now', 'next', 'spans', 'overrides'),
      calendar: 'hidden',
    },
    query: { at: z.optional(moment), from: z.optional(moment), to: z.optional(moment) },
    handle: async ({ env, request, params: { name }, query }) => {
      const found = await findRotation(env, name);
      if (found === null) return missing(name);
      const { at = Date.now() } = query;
      const { from = at } = query;
      const { to = from + RANGE_MS } = query;
      if (to <= from || to - from > MAX_RANGE_MS)
        return invalidField('to', 'out-of-range', 'must be after `from`, by 92d at most');
      const { turns } = found;
      const now = onCallAt(turns, at);
      return {
        name,
        timezone: turns.timezone,
        at: iso(at),
        now: shown(now),
        next: now.until === null ? null : shown(onCallAt(turns, now.until)),
        spans: onCallBetween(turns, from, to, MAX_SPANS).map(shown),
        overrides: overridesAfter(found, at),
        calendar: await calendarLink(env, request, name),
      };
    },
  }),

  revokeCalendar: apiRoute('DELETE /recipients/{name}/calendar', 'operator', {
    handle: async ({ env, request, params: { name } }) =>
      (await findRotation(env, name)) === null
        ? missing(name)
        : { calendar: await calendarLink(env, request, name, true) },
  }),

  addOverride: apiRoute('POST /recipients/{name}/overrides', 'operator', {
    body: z.extend(overrideSchema, { from: z.optional(overrideSchema.shape.from) }),
    status: 201,
    handle: async ({ env, params: { name: list }, body, login }) => {
      const found = await findRotation(env, list);
      if (found === null) return missing(list);
      const now = Date.now();
      const { timezone } = found.turns;
      const { person, from = localTextAt(timezone, now), to } = body;
      const override = { list, ...overrideOf({ person, from, to }, timezone) };
      const errors = overrideErrors(override, found.people, now);
      if (errors.length > 0) return invalid(errors);
      const begins = { ...override, from: Math.max(override.from, now) };
      const added = await registry(env).addOverride(begins, login.actor, now);
      if (added === null) return missing(list);
      const full = `There are ${MAX_OVERRIDES_BY_HAND} overrides by hand that have not ended: end one first.`;
      if (added === 'full') return conflict(full);
      await announce(env, added.published);
      log('info', 'override.added', { override: added.part.id, by: login.actor });
      return ofHand(added.part, timezone);
    },
  }),

  deleteOverride: apiRoute('DELETE /recipients/{name}/overrides/{override}', 'operator', {
    query: { note: publishQuery.note },
    handle: async (call) => {
      const { env, login, params, query } = call;
      const found = await findRotation(env, params.name);
      if (found === null) return missing(params.name);
      const { timezone } = found.turns;
      const now = Date.now();
      const open = found.byHand.filter((one) => listedOverride(one).to > now);
      const namesOf = ({ id, since }: OverrideByHand) => [id, localTextAt(timezone, Date.parse(since))];
      const known = open.findLast((one) => namesOf(one).includes(params.override));
      if (known === undefined) return publishWithout(call, params, found, query.note);
      const ended = await registry(env).endOverride(known.id, now);
      if (ended === null) return noOverride(params);
      await announce(env, ended.published);
      log('info', 'override.ended', { override: known.id, by: login.actor });
      return ofHand(ended.part, timezone);
    },
  }),
} satisfies ApiRoutes;

/** The link of a list's calendar, which nobody can guess. `isNew`: earlier ones are not found any more. */
async function calendarLink(env: Env, { url }: Request, name: string, isNew = false): Promise<string> {
  const code = await registry(env).makeCalendar(name, isNew);
  return `${publicUrl(env) ?? new URL(url).origin}/calendar/${name}.${code}.ics`;
}

const MAX_AHEAD_DAYS = 366;

function overrideErrors({ person, from, to }: Override, people: readonly string[], now: number) {
  const errors: FieldError[] = [];
  const report = (path: string, ...fault: Fault): unknown => errors.push(fieldError(path, ...fault));
  if (!people.includes(person)) report('person', ...noSuch('person', person, people));
  if (from < now - DAY)
    report('from', 'out-of-range', 'is more than a day ago: leave it out, and it begins now');
  const inRange = `must be after \`from\`, in the future, and at most ${MAX_AHEAD_DAYS}d from now`;
  if (to <= Math.max(now, from) || to > now + MAX_AHEAD_DAYS * DAY) report('to', 'out-of-range', inRange);
  return errors;
}

const ofHand = (override: OverrideByHand, timezone: string) => ({
  origin: 'hand' as const,
  ...override,
  from: localTextAt(timezone, Date.parse(override.since)),
  to: localTextAt(timezone, Date.parse(override.until)),
});

/** The overrides that have not ended. One that was ended since its person is gone is shown for as long as it was meant to last. */
function overridesAfter(
  { rotation: { overrides = [] }, turns: { timezone }, byHand }: FoundRotation,
  at: number,
): readonly ShownOverride[] {
  const planned = overrides.flatMap((written) => {
    const { from, to } = overrideOf(written, timezone);
    return to <= at ? [] : [{ origin: 'document' as const, ...written, since: iso(from), until: iso(to) }];
  });
  const made = byHand.flatMap((one) => {
    const { to } = one.is_gone === true ? { to: Date.parse(one.until) } : listedOverride(one);
    return to <= at ? [] : [ofHand(one, timezone)];
  });
  return [...planned, ...made].toSorted((one, other) => (one.since < other.since ? -1 : 1));
}

async function publishWithout(
  call: Publisher,
  params: Parameters<typeof noOverride>[0],
  { document, rotation: { overrides = [] }, version }: FoundRotation,
  note: string | undefined,
) {
  const { env, request, login } = call;
  const condition = ifMatch(request);
  if (!condition.ok) return condition.error;
  const left = overrides.filter((one) => one.from !== params.override);
  if (left.length === overrides.length) return noOverride(params);
  const written = isObject(document['rotation']) ? document['rotation'] : {};
  const changed = { ...document, rotation: { ...written, overrides: left } };
  const change = { kind: 'put', collection: 'recipients', name: params.name, document: changed } as const;
  const asked = { change, by: login.actor, now: Date.now(), note };
  return answer(call, () =>
    // If somebody published a change meanwhile, this one is refused and theirs is kept.
    registry(env).publish({ ...asked, condition: condition.value ?? [version] }),
  );
}

const missing = (name: string): Response => notFound(`recipients list \`${name}\` with a rotation`);

const noOverride = ({ name, override }: Readonly<Record<'name' | 'override', string>>): Response =>
  notFound(`override from \`${override}\` in recipients list \`${name}\``);

type FoundRotation = NonNullable<Awaited<ReturnType<typeof findRotation>>>;

/** Null if there is no such list, or its people take no turns. `byHand`: its overrides by hand, the first made first. */
async function findRotation(env: Env, list: string) {
  const current = await readSet(env);
  const document = Object.entries(current?.set.recipients ?? {}).find(([name]) => name === list)?.[1];
  const { data } = recipientsSchema.safeParse(document);
  if (current === null || data?.rotation === undefined || !isObject(document)) return null;
  const byHand = current.overrides.filter((one) => one.list === list);
  const turns = turnsOfList(list, data, byHand.map(listedOverride));
  if (turns === null) return null;
  const people = Object.keys(data.people ?? {});
  return { document, rotation: data.rotation, people, turns, byHand, version: current.version };
}

/** The time that a calendar covers, from now on. */
const AHEAD_MS = 60 * DAY;
const MAX_EVENTS = 500;

const FILE = /^([A-Za-z0-9][\w-]{0,63})\.([0-9a-z]{24})\.ics$/;

const failures = new Failures();

export async function handleCalendar(request: Request, file: string, env: Env): Promise<Response> {
  const now = Date.now();
  // The log must not contain the path, since the code is in it.
  const text = await feed(env, file, now).catch((thrown: unknown) => fault(thrown, '/calendar'));
  if (text === null) {
    const limited = failures.add(request.headers.get('cf-connecting-ip') ?? '', now);
    return problemResponse(limited === null ? NOWHERE : tooMany(limited.retryAfterSeconds));
  }
  if (typeof text !== 'string') return text;
  const headers = { 'content-type': 'text/calendar; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(text, { headers: { ...headers, 'x-robots-tag': 'noindex' } });
}

async function feed(env: Env, file: string, now: number): Promise<string | null> {
  const [, name, code] = FILE.exec(file) ?? [];
  if (name === undefined || code === undefined) return null;
  const right = await registry(env).calendarCode(name);
  if (right === null || !(await equalsInConstantTime(code, right))) return null;
  const found = await findRotation(env, name);
  if (found === null) return null;
  const range = { from: now, to: now + AHEAD_MS };
  return calendarText(name, onCallBetween(found.turns, range.from, range.to, MAX_EVENTS), range);
}

/** Writes a calendar (RFC 5545) of who is on call. `range` (ms) bounds the periods that have no known end. */
export function calendarText(
  list: string,
  spans: readonly OnCallPeriod[],
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const today = Math.floor(from / DAY) * DAY;
  const events = spans.flatMap(({ person, since, until }) => {
    const begin = utc(since ?? today);
    return [
      'BEGIN:VEVENT',
      // A turn keeps its id as long as it begins at the same time, even if somebody else gets it.
      `UID:${since === null ? 'always' : begin}-${list}@hookbell`,
      `DTSTAMP:${utc(from)}`,
      `DTSTART:${begin}`,
      `DTEND:${utc(until ?? to)}`,
      `SUMMARY:${escaped(`${person} (${list})`)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ];
  });
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:hookbell', `X-WR-CALNAME:${escaped(list)}`];
  return [...head, ...events, 'END:VCALENDAR', ''].map(folded).join('\r\n');
}

const utc = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');

const escaped = (text: string): string =>
  text.replaceAll(/[\\;,]/g, (mark) => `\\${mark}`).replaceAll(/\r?\n/g, '\\n');

const encoder = new TextEncoder();

/** Continues a line of more than 75 octets in the next one, after a space (RFC 5545 §3.1). Cuts no character in two. */
function folded(line: string): string {
  let text = '';
  let octets = 0;
  for (const character of line) {
    const { length } = encoder.encode(character);
    if (octets + length > 75) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += length;
  }
  return text;
}
