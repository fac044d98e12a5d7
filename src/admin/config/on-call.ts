import * as z from 'zod/mini';
import { publicUrl } from '../../config/public-url.ts';
import {
  onCallAt,
  onCallBetween,
  rotationOf,
  type Rotation,
  type OnCallPeriod,
} from '../../config/rotation.ts';
import {
  overrideSchema,
  type OverrideDocument,
  type RotationDocument,
} from '../../config/rotation-schema.ts';
import { localTextAt } from '../../config/hours.ts';
import { DAY } from '../../lib/duration.ts';
import { iso } from '../../lib/iso.ts';
import { words } from '../../registry/view.ts';
import { registry } from '../../config/registry-client.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { calendarPath } from './calendar.ts';
import { findRotation } from './find-rotation.ts';
import { invalid, moment, notFound } from '../request/input.ts';
import { answer, ifMatch, publishQuery, type Publisher } from './publish.ts';

/** The default range of the periods on call, and the longest range. */
const RANGE_MS = 28 * DAY;
const MAX_RANGE_MS = 92 * DAY;
const MAX_SPANS = 1_000;

const shown = ({ person, since, until }: OnCallPeriod) => ({
  person,
  since: since === null ? null : iso(since),
  until: until === null ? null : iso(until),
});

/** The routes that show and change who is on call in a list. */
export const onCallRoutes = {
  getOnCall: apiRoute({
    method: 'GET',
    path: '/recipients/{name}/on-call',
    role: 'viewer',
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
        return invalid('The request is not valid.', [
          { path: 'to', message: 'must be after `from`, by 92d at most' },
        ]);
      const rotation = rotationOf(found.rotation);
      const now = onCallAt(rotation, at);
      return {
        name,
        timezone: rotation.timezone,
        at: iso(at),
        now: shown(now),
        next: now.until === null ? null : shown(onCallAt(rotation, now.until)),
        spans: onCallBetween(rotation, from, to, MAX_SPANS).map(shown),
        overrides: overridesAfter(found.rotation, rotation, at),
        calendar: await calendarLink(env, request, name),
      };
    },
  }),

  revokeCalendar: apiRoute({
    method: 'DELETE',
    path: '/recipients/{name}/calendar',
    role: 'operator',
    handle: async ({ env, request, params: { name } }) =>
      (await findRotation(env, name)) === null
        ? missing(name)
        : { calendar: await calendarLink(env, request, name, true) },
  }),

  addOverride: apiRoute({
    method: 'POST',
    path: '/recipients/{name}/overrides',
    role: 'operator',
    query: { note: publishQuery.note },
    body: z.extend(overrideSchema, {
      from: z.optional(overrideSchema.shape.from),
      replace: z.optional(z.boolean()),
    }),
    handle: (call) =>
      publishOverrides(call, ({ timezone, overrides = [] }) => {
        const { person, from = localTextAt(timezone, Date.now()), to, replace = false } = call.body;
        const added: OverrideDocument = { person, from, to };
        // An override that is sent twice is stored once.
        if (overrides.some((one) => isSame(one, added))) return overrides;
        return [...(replace ? overrides.flatMap((one) => outside(one, added)) : overrides), added];
      }),
  }),

  deleteOverride: apiRoute({
    method: 'DELETE',
    path: '/recipients/{name}/overrides/{from}',
    role: 'operator',
    query: { note: publishQuery.note },
    handle: (call) =>
      publishOverrides(call, ({ overrides = [] }) => {
        const { name, from } = call.params;
        const left = overrides.filter((one) => one.from !== from);
        return left.length < overrides.length
          ? left
          : notFound(`override from \`${from}\` in recipients list \`${name}\``);
      }),
  }),
} satisfies ApiRoutes;

const calendarLink = async (env: Env, { url }: Request, name: string, isNew = false): Promise<string> =>
  (publicUrl(env) ?? new URL(url).origin) + (await calendarPath(env, name, isNew));

/** The overrides that have not ended, as they are written and as times. */
const overridesAfter = ({ overrides = [] }: RotationDocument, rotation: Rotation, at: number) =>
  rotation.overrides
    .flatMap(({ from, to }, index) => {
      const written = overrides[index];
      return written === undefined || to <= at ? [] : [{ ...written, since: iso(from), until: iso(to) }];
    })
    .toSorted((one, other) => (one.since < other.since ? -1 : 1));

interface OverridesCall extends Publisher {
  readonly params: { readonly name: string };
  readonly query: { readonly note?: string | undefined };
}

/** Publishes a list with other overrides. Publishes nothing if they are the same. */
async function publishOverrides(
  call: OverridesCall,
  change: (rotation: RotationDocument) => readonly OverrideDocument[] | Response,
): ReturnType<typeof answer> {
  const { env, request, params, query, login } = call;
  const condition = ifMatch(request);
  if (!condition.ok) return condition.error;
  const found = await findRotation(env, params.name);
  if (found === null) return missing(params.name);
  const { document, rotation, version } = found;
  const overrides = change(rotation);
  if (overrides instanceof Response) return overrides;
  if (overrides === rotation.overrides) return { version, warnings: [] };
  const changed = { ...document, rotation: { ...document.rotation, overrides } };
  const put = { kind: 'put', collection: 'recipients', name: params.name, document: changed } as const;
  return answer(call, () =>
    // If somebody published a change meanwhile, this one is refused and theirs is kept.
    registry(env).publish(put, login.actor, Date.now(), condition.value ?? [version], query.note),
  );
}

const missing = (name: string): Response => notFound(`recipients list \`${name}\` with a rotation`);

/** The parts of an override before and after another one that begins during it. One that begins later stays whole. */
function outside(one: OverrideDocument, { from, to }: OverrideDocument): readonly OverrideDocument[] {
  if (one.from > from || one.to <= from || to <= from) return [one];
  const before = { ...one, to: from };
  const after = { ...one, from: to };
  return [before, after].filter((part) => part.from < part.to);
}

const isSame = (one: OverrideDocument, other: OverrideDocument): boolean =>
  one.person === other.person && one.from === other.from && one.to === other.to;
