import * as z from 'zod/mini';
import { registry } from '../config/load.ts';
import { orNull } from '../metrics/collect.ts';
import type { EventFrame, Frame, MessageFrame } from '../answers/api-tail.ts';
import { askOutboxes } from '../outbox/many-outboxes.ts';
import { MAX_CHANGES } from '../outbox/tail.ts';
import { words, type View } from '../registry/view.ts';
import { oneOf } from '../schema/parts.ts';
import { apiRoute, type ApiRoutes } from './api/route.ts';

/** Who asks for the first time gets what happened in the last seconds (ms): since a list was read beside it. */
const FIRST_MS = 10_000;

const seenEvent: View<EventFrame> = {
  ...words('type', 'at', 'event', 'source', 'event_type', 'state', 'duplicate', 'waiting', 'account', 'code'),
  reason: 'quoted',
  subject: 'exact',
};

const seenMessage: View<MessageFrame> = {
  ...words('type', 'at', 'message', 'event', 'source', 'route', 'kind', 'state', 'outcome', 'http_status'),
  ...words('n', 'next_attempt_at', 'duration_ms', 'about', 'account', 'code'),
  reason: 'quoted',
  reason_params: 'quoted',
};

/** The reason of a rejection is in our own words. */
const SEEN = { event: seenEvent, message: seenMessage, rejection: 'words' } as const;

export const tailRoutes = {
  tail: apiRoute('GET /tail', 'viewer', {
    view: { items: ({ type }: Frame) => SEEN[type], cursor: 'id', missed: 'words' },
    query: {
      source: z.optional(z.string()),
      type: z.optional(oneOf(['event', 'message', 'rejection'])),
      // The time up to which all outboxes were asked (ms), and the number of the newest rejection.
      cursor: z.optional(
        z.string().check(z.regex(/^\d{13}-\d{1,15}$/, { error: 'must be a `cursor` of this route' })),
      ),
    },
    handle: async ({ env, query: { source, type, cursor } }) => {
      const isFirst = cursor === undefined;
      const [since = 0, after = 0] = isFirst ? [Date.now() - FIRST_MS] : cursor.split('-').map(Number);
      const [rejections, outboxes] = await Promise.all([
        orNull({}, () => registry(env).rejectionsAfter(after)),
        askOutboxes(env, (outbox, account) => orNull({ account }, () => outbox.changes(since))),
      ]);
      const refused = (rejections ?? []).map(({ n, entry }) => {
        const { at, source: of, status, code, detail } = entry;
        return { type: 'rejection' as const, n, at, source: of, status, code, detail };
      });
      const asked = outboxes.filter((one) => one !== null);
      const found: readonly Frame[] = [...refused, ...asked.flatMap(({ frames }) => frames)]
        .filter((one) => (source ?? one.source) === one.source && (type ?? one.type) === one.type)
        // A rejection may be older: a flood is reported late.
        .filter(({ at }) => !isFirst || Date.parse(at) > since)
        .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
      const isPart = rejections === null || outboxes.includes(null) || found.length > MAX_CHANGES;
      // Clocks differ: what one outbox says between its time and this one's is said again.
      const at = Math.min(...asked.map((one) => one.at));
      return {
        items: found.slice(-MAX_CHANGES),
        cursor: `${asked.length === 0 ? since : at}-${rejections?.[0]?.n ?? after}`,
        missed: !isFirst && (isPart || asked.some(({ missed }) => missed)),
      };
    },
  }),
} satisfies ApiRoutes;
