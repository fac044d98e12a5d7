import type { Operated } from '../../outbox/outbox.ts';
import { findInOutboxes, type OutboxStub, outboxNames, callsFor } from '../../outbox/many-outboxes.ts';
import type { MessageView } from '../../outbox/answers/api-message.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import {
  conflict,
  notFound,
  moment,
  bulkCursor,
  bulkQuery,
  MAX_PHONES,
  messageFilter,
  wrongCursor,
  bulkAll,
  unclear,
} from '../request/input.ts';
import * as z from 'zod/mini';
import { oneOf, strictDocument } from '../../schema/parts.ts';
import type { BulkStep, CancelStep } from '../../outbox/operate.ts';
import { RETRYABLE_STATES, WAITING_STATES } from '../../outbox/state/states.ts';
import { decodePositions, encodePositions } from './merge.ts';

export const operateRoutes = {
  retryMessage: apiRoute({
    method: 'POST',
    path: '/messages/{id}/retry',
    role: 'operator',
    handle: ({ env, params: { id }, login }) => operated(env, id, (outbox) => outbox.retry(id, login.actor)),
  }),

  cancelMessage: apiRoute({
    method: 'POST',
    path: '/messages/{id}/cancel',
    role: 'operator',
    handle: ({ env, params: { id }, login }) => operated(env, id, (outbox) => outbox.cancel(id, login.actor)),
  }),

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
      const sum = { cancelled: 0, in_flight: 0, looked_at: 0 };
      let { index, after } = from;
      for (let steps = 0; index < names.length && steps < MAX_STEPS; steps += 1) {
        const outbox = env.OUTBOX.getByName(names[index] ?? '');
        const step: CancelStep = await outbox.cancelAll(filter, login.actor, { after, isDryRun });
        sum.cancelled += step.cancelled;
        sum.in_flight += step.inFlight;
        sum.looked_at += step.looked;
        [index, after] = step.next === null ? [index + 1, 0] : [index, step.next];
      }
      const name = names[index];
      return { ...sum, next_cursor: name === undefined ? null : `${name}:${after}` };
    },
  }),
} satisfies ApiRoutes;

interface Done extends Operated {
  readonly message: MessageView | null;
}

async function operated(
  env: Env,
  id: string,
  action: (outbox: OutboxStub) => Promise<Operated | null>,
): Promise<MessageView | Response> {
  const done = await findInOutboxes(env, async (outbox): Promise<Done | null> => {
    const result = await action(outbox);
    return result === null ? null : { ...result, message: await outbox.readMessage(id) };
  });
  if (done?.message === undefined || done.message === null) return notFound(`message \`${id}\``);
  return done.refusal === null ? done.message : conflict(`The message ${done.refusal}.`);
}

/** Limits the calls of a request, so that it ends. A call retries up to a thousand messages of an outbox. */
const MAX_CALLS = 20;

const MAX_STEPS = 20;

/** An outbox, and the number of the last message in it that was examined. */
interface Position {
  readonly index: number;
  readonly after: number;
}

/** Null if the text is not a cursor of this route, or its account is gone. */
function positionOf(cursor: string, names: readonly string[]): Position | null {
  const [, name = '', digits = ''] = /^(.+):(\d{1,15})$/.exec(cursor) ?? [];
  const index = names.indexOf(name);
  return index < 0 ? null : { index, after: Number(digits) };
}
