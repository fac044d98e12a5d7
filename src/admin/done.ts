import * as z from 'zod/mini';
import { registry } from '../config/registry-client.ts';
import { mustBe, someText, strictDocument } from '../schema/parts.ts';
import { apiRoute, type ApiRoutes } from './api/route.ts';
import { notFound } from './request/input.ts';
import { wholeList } from './request/pages.ts';

/** A card of the console: its kind and its subject. */
const card = someText(200);

const MARK = mustBe('a number from 0 that grows with each occurrence, such as a time in milliseconds');

/** `/done`: the cards of the console's first page that somebody has dismissed. */
export const doneRoutes = {
  listDone: apiRoute({
    method: 'GET',
    path: '/done',
    role: 'viewer',
    view: 'words',
    handle: async ({ env }) => wholeList(await registry(env).doneCards()),
  }),

  setDone: apiRoute({
    method: 'POST',
    path: '/done',
    role: 'operator',
    body: strictDocument({ card, mark: z.number({ error: MARK }).check(z.minimum(0, { error: MARK })) }),
    handle: async ({ env, body, login }) => {
      const { card, mark, by, at } = await registry(env).setDone(
        body.card,
        body.mark,
        login.actor,
        Date.now(),
      );
      return { card, mark, by, at };
    },
  }),

  undoDone: apiRoute({
    method: 'DELETE',
    path: '/done',
    role: 'operator',
    query: { card },
    handle: async ({ env, query }): Promise<{ readonly card: string } | Response> =>
      (await registry(env).undoDone(query.card))
        ? { card: query.card }
        : notFound(`card \`${query.card}\` marked as done`),
  }),
} satisfies ApiRoutes;
