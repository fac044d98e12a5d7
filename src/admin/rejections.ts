import * as z from 'zod/mini';
import { registry, loadConfig } from '../config/load.ts';
import { parseOwnJson } from '../lib/json.ts';
import type { KeptForm } from '../registry/rejections.ts';
import { words } from '../registry/view.ts';
import { oneOf } from '../schema/parts.ts';
import { apiRoute, type ApiRoutes } from './api/route.ts';
import { asRejection, readRemedies } from './doctor/rejections.ts';
import { notFound, numberedPage, numberedQuery, conflict } from './request/input.ts';
import { accept, acceptance } from '../ingest/accept/accept.ts';
import { routeEvent, silencing } from '../ingest/routing/match.ts';
import { inItsLanguage } from '../ingest/request/event.ts';
import { newEventId, secureRandomBytes } from '../lib/id.ts';
import { log } from '../lib/log.ts';
import { problemResponse } from '../lib/problem.ts';
import type { Released } from '../answers/api-registry.ts';

export const rejectionRoutes = {
  listRejections: apiRoute('GET /rejections', 'viewer', {
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

  getRejection: apiRoute('GET /rejections/{n}', 'viewer', {
    view: {
      ...words('n', 'at', 'source', 'status', 'code', 'detail', 'remedy', 'from', 'spam', 'released'),
      ...words('times', 'first_at', 'field', 'near'),
      body: 'payload',
    },
    handle: async ({ env, params }) => {
      const n = numberOf(params.n);
      const [found] = n === null ? [] : await registry(env).rejections(1, n + 1);
      if (found === undefined || found.n !== n) return notFound(`rejection \`${params.n}\``);
      const spam = found.entry.spam === undefined ? null : await registry(env).readSpam(n);
      return {
        ...asRejection(await readRemedies(env))(found),
        ...(spam && { body: spam.form && parseOwnJson<KeptForm>(spam.form).payload }),
      };
    },
  }),

  releaseRejection: apiRoute('POST /rejections/{n}/release', 'operator', {
    status: 202,
    handle: async ({ env, params, login }) => {
      const n = numberOf(params.n);
      if (n === null) return notFound(`rejection \`${params.n}\``);
      return releaseSpam(env, n, login.actor, Date.now());
    },
  }),
} satisfies ApiRoutes;

const numberOf = (text: string): number | null => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null);

/** As if the form had passed, with today's configuration. An interrupted release can be repeated, and makes the same event. */
async function releaseSpam(env: Env, n: number, by: string, now: number): Promise<Released | Response> {
  const spam = await registry(env).readSpam(n);
  if (spam === null) return notFound(`spam with the number \`${n}\``);
  const { entry, form } = spam;
  if (entry.released !== undefined) return conflict(`It has already been released, as ${entry.released}.`);
  const of = `The source ${entry.source}`;
  if (form === null) return conflict(`${of} does not store its content (\`store: metadata\`).`);
  const config = await loadConfig(env, now);
  const source = config.sources.get(entry.source);
  if (source === undefined) return conflict(`${of} is no longer configured; publish it first.`);
  const id = await registry(env).startRelease(n, newEventId(now, secureRandomBytes));
  if (id === null) return notFound(`spam with the number \`${n}\``);
  const event = inItsLanguage({ id, source, signed: null, ...parseOwnJson<KeptForm>(form) });
  const results = routeEvent(event, silencing(config, now), 'person');
  const taken = acceptance(event, results, { config, dedupeFailure: null });
  const received = { ...taken, event: { ...taken.event, receivedAt: now } };
  const accepted = await accept(env, config, source.account, received);
  if (!accepted.ok) return problemResponse(accepted.error.problem);
  if (!(await registry(env).endRelease(n, now))) return conflict(`It has already been released, as ${id}.`);
  log('info', 'rejection.released', { rejection: n, event: id, by });
  const { event: stored, duplicate, messages, waiting } = accepted.value;
  return { event: stored, rejection: n, duplicate, messages, ...(waiting !== undefined && { waiting }) };
}
