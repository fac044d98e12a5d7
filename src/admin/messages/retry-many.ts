import * as z from 'zod/mini';
import { oneOf, strictDocument } from '../../schema/parts.ts';
import type { BulkStep } from '../../outbox/operate/operate.ts';
import { RETRYABLE_STATES } from '../../outbox/state/states.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { moment } from '../request/input.ts';
import { callsFor } from '../../outbox/many-outboxes.ts';
import { outboxNames } from '../../outbox/outboxes.ts';
import { bulkCursor, bulkQuery, MAX_PHONES, messageFilter, wrongCursor } from './bulk.ts';
import { decodePositions, encodePositions } from './merge.ts';

/**
 * Limits the calls of a request, so that it ends. A call retries up to a thousand messages of an outbox. The next
 * request continues from `next_cursor`.
 */
const MAX_CALLS = 20;

/** Tries many messages again. */
export const retryManyRoutes = {
  retryMessages: apiRoute({
    method: 'POST',
    path: '/messages/retry',
    role: 'operator',
    query: bulkQuery,
    body: strictDocument({
      state: oneOf(RETRYABLE_STATES),
      ...messageFilter,
      since: z.optional(moment),
      cursor: bulkCursor,
    }),
    handle: async ({ env, query, body: { cursor, ...filter }, login }) => {
      const isDryRun = query.dry_run === 'true';
      const names = await outboxNames(env);
      const from = cursor === undefined ? null : decodePositions(cursor, (text) => /^\d{1,15}$/.test(text));
      if (cursor !== undefined && from === null) return wrongCursor();
      let retried = 0;
      const phones: string[] = [];
      let open = names.flatMap((name) => {
        const after = from === null ? '0' : from[name];
        return after === undefined ? [] : [{ name, after: Number(after) }];
      });
      for (let calls = 0; open.length > 0 && calls < MAX_CALLS; calls += callsFor(open.length)) {
        const steps: readonly BulkStep[] = await Promise.all(
          open.map(({ name, after }) =>
            env.OUTBOX.getByName(name).retryAll(filter, login.actor, { after, isDryRun }),
          ),
        );
        for (const step of steps) {
          retried += step.retried;
          phones.push(...(step.phones ?? []));
        }
        open = open.flatMap(({ name }, index) => {
          const next = steps[index]?.next ?? null;
          return next === null ? [] : [{ name, after: next }];
        });
      }
      const positions = Object.fromEntries(open.map(({ name, after }) => [name, String(after)]));
      const more = open.length > 0;
      return {
        retried,
        ...(isDryRun && { phones: [...new Set(phones)].slice(0, MAX_PHONES) }),
        more,
        next_cursor: more ? encodePositions(positions) : null,
      };
    },
  }),
} satisfies ApiRoutes;
