import * as z from 'zod/mini';
import { MAX_SUPPRESSIONS } from '../config/compiled/config.ts';
import { registry } from '../config/load.ts';
import { log } from '../lib/log.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { announce } from '../outbox/many-outboxes.ts';
import type { Suppression } from '../answers/api-registry.ts';
import { words } from '../registry/view.ts';
import { someText, strictDocument } from '../schema/parts.ts';
import { readDocumentNumber } from '../phone/dialled.ts';
import { apiRoute, type ApiRoutes } from './api/route.ts';
import { asStored, conflict, notFound, numberedQuery, invalidField } from './request/input.ts';

export const suppressionRoutes = {
  listSuppressions: apiRoute('GET /suppressions', 'viewer', {
    view: { items: { ...words('at', 'by', 'reason', 'message'), phone: 'phone' }, next_cursor: 'id' },
    query: numberedQuery,
    handle: async ({ env, query: { limit, cursor = null } }) => {
      const { items, next } = await registry(env).suppressions(limit, cursor);
      return { items, next_cursor: next === null ? null : String(next) };
    },
  }),

  // A viewer could find out whether a guessed number has opted out.
  getSuppression: apiRoute('GET /suppressions/{phone}', 'operator', {
    handle: async ({ env, params: { phone } }): Promise<Suppression | Response> =>
      (await registry(env).findSuppression(asStored(phone))) ?? NONE(),
  }),

  putSuppression: apiRoute('PUT /suppressions/{phone}', 'operator', {
    body: strictDocument({ reason: z.optional(someText(1_024)), address: z.optional(z.boolean()) }),
    isBodyOptional: true,
    handle: async ({ env, params, body, login }): Promise<Suppression | Response> => {
      const phone = body.address === true ? readAddress(params.phone) : readDocumentNumber(params.phone);
      if (!phone.ok) return invalidField('phone', 'number', phone.error);
      const { reason = 'by hand' } = body;
      const added = await registry(env).suppress({ phone: phone.value, by: login.actor, reason }, Date.now());
      if (added === null)
        return conflict(`${MAX_SUPPRESSIONS} receivers have opted out, and no more are kept: remove some.`);
      await announce(env, added.published);
      log('info', 'suppression.added', { phone: phone.value, by: login.actor });
      return added.part;
    },
  }),

  deleteSuppression: apiRoute('DELETE /suppressions/{phone}', 'operator', {
    handle: async ({ env, params, login }): Promise<Suppression | Response> => {
      const phone = asStored(params.phone);
      const removed = await registry(env).unsuppress(phone);
      if (removed === null) return NONE();
      await announce(env, removed.published);
      log('info', 'suppression.removed', { phone, by: login.actor });
      return removed.part;
    },
  }),
} satisfies ApiRoutes;

/** A line of all receivers is one of them. */
const readAddress = (written: string): Result<string, string> =>
  written.length <= 128 && !/\p{C}/u.test(written)
    ? ok(written)
    : err('must be an address of at most 128 characters, without control characters');

const NONE = (): Response => notFound('suppression of this number');
