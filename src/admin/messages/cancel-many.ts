import * as z from 'zod/mini';
import { oneOf, strictDocument } from '../../schema/parts.ts';
import type { CancelFilter, CancelStep } from '../../outbox/operate/cancel-many.ts';
import { WAITING_STATES } from '../../outbox/state/states.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { moment } from '../request/input.ts';
import { outboxNames } from '../../outbox/outboxes.ts';
import { bulkAll, bulkCursor, bulkQuery, messageFilter, unclear, wrongCursor } from './bulk.ts';

/** Limits the steps of a request, so that it ends. The next request continues from `next_cursor`. */
const MAX_STEPS = 20;

/** Cancels many waiting messages. */
export const cancelManyRoutes = {
  cancelMessages: apiRoute({
    method: 'POST',
    path: '/messages/cancel',
    role: 'operator',
    query: bulkQuery,
    body: strictDocument({
      state: z.optional(oneOf(WAITING_STATES)),
      ...messageFilter,
      since: z.optional(moment),
      all: bulkAll('all waiting messages, of every account'),
      cursor: bulkCursor,
    }),
    handle: async ({ env, query, body: { all, cursor, ...filter }, login }) => {
      const problem = unclear(filter, all, 'state, source, event, phone or since');
      if (problem !== null) return problem;
      const names = await outboxNames(env);
      const from = cursor === undefined ? { index: 0, after: 0 } : positionOf(cursor, names);
      if (from === null) return wrongCursor();
      const isDryRun = query.dry_run === 'true';
      return cancelFrom(env, { names, filter, by: login.actor, isDryRun }, from);
    },
  }),
} satisfies ApiRoutes;

interface Cancellation {
  readonly names: readonly string[];
  readonly filter: CancelFilter;
  readonly by: string;
  readonly isDryRun: boolean;
}

/** An outbox, and the number of the last message in it that was examined. */
interface Position {
  readonly index: number;
  readonly after: number;
}

async function cancelFrom(env: Env, { names, filter, by, isDryRun }: Cancellation, from: Position) {
  const sum = { cancelled: 0, in_flight: 0, looked_at: 0 };
  let { index, after } = from;
  for (let steps = 0; index < names.length && steps < MAX_STEPS; steps += 1) {
    const outbox = env.OUTBOX.getByName(names[index] ?? '');
    const step: CancelStep = await outbox.cancelAll(filter, by, { after, isDryRun });
    sum.cancelled += step.cancelled;
    sum.in_flight += step.inFlight;
    sum.looked_at += step.looked;
    [index, after] = step.next === null ? [index + 1, 0] : [index, step.next];
  }
  const name = names[index];
  return { ...sum, next_cursor: name === undefined ? null : `${name}:${after}` };
}

/** Null if the text is not a cursor of this route, or its account is gone. */
function positionOf(cursor: string, names: readonly string[]): Position | null {
  const [, name = '', digits = ''] = /^(.+):(\d{1,15})$/.exec(cursor) ?? [];
  const index = names.indexOf(name);
  return index < 0 ? null : { index, after: Number(digits) };
}
