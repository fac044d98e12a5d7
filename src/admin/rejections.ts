import * as z from 'zod/mini';
import { registry } from '../config/registry-client.ts';
import { parseOwnJson } from '../lib/own-json.ts';
import type { KeptForm } from '../registry/spam.ts';
import { words } from '../registry/view.ts';
import { oneOf } from '../schema/parts.ts';
import { apiRoute, type ApiRoutes } from './api/route.ts';
import { asRejection } from './doctor/rejections.ts';
import { readRemedies } from './doctor/rejections.ts';
import { releaseSpam } from './messages/release-spam.ts';
import { notFound } from './request/input.ts';
import { numberedPage, numberedQuery } from './request/pages.ts';

/** Webhooks that were refused, and forms that were taken for spam. */
export const rejectionRoutes = {
  listRejections: apiRoute({
    method: 'GET',
    path: '/rejections',
    role: 'viewer',
    view: 'words',
    query: {
      ...numberedQuery,
      source: z.optional(z.string()),
      spam: z.optional(oneOf(['true', 'false'])),
    },
    handle: async ({ env, query: { limit, cursor = null, source, spam } }) => {
      const filter = { source, isSpam: spam === undefined ? undefined : spam === 'true' };
      const found = await registry(env).rejections(limit + 1, cursor, filter);
      const page = numberedPage(found, limit, ({ n }) => n);
      return { ...page, items: page.items.map(asRejection(await readRemedies(env))) };
    },
  }),

  getRejection: apiRoute({
    method: 'GET',
    path: '/rejections/{n}',
    role: 'viewer',
    view: {
      ...words('n', 'at', 'source', 'status', 'code', 'detail', 'remedy', 'from', 'spam', 'released'),
      ...words('times', 'first_at', 'field', 'near'),
      body: 'payload',
    },
    handle: async ({ env, params }) => {
      const n = numberOf(params.n);
      const [found] = n === null ? [] : await registry(env).rejections(1, n + 1);
      if (found === undefined || found.n !== n) return notFound(`rejection \`${params.n}\``);
      const spam = found.entry.spam === undefined ? null : await registry(env).spam(n);
      return {
        ...asRejection(await readRemedies(env))(found),
        ...(spam !== null && { body: bodyOf(spam.form) }),
      };
    },
  }),

  releaseRejection: apiRoute({
    method: 'POST',
    path: '/rejections/{n}/release',
    role: 'operator',
    status: 202,
    handle: ({ env, params, login }) => {
      const n = numberOf(params.n);
      return n === null
        ? Promise.resolve(notFound(`rejection \`${params.n}\``))
        : releaseSpam(n, { env, by: login.actor, now: Date.now() });
    },
  }),
} satisfies ApiRoutes;

/** The content of a form; null if it was not stored. */
const bodyOf = (form: string | null): unknown =>
  form === null ? null : parseOwnJson<KeptForm>(form).payload;

/** Null if the text is not the number of a rejection. */
const numberOf = (text: string): number | null => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null);
