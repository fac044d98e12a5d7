import { fieldError } from '../../lib/problem.ts';
import * as z from 'zod/mini';
import { readSet, registry } from '../../config/registry-client.ts';
import { strictDocument } from '../../schema/parts.ts';
import { apiRoute, withHeaders, type ApiRoutes } from '../api/route.ts';
import { invalid, notFound, versionNumber } from '../request/input.ts';
import { numberedPage, numberedQuery } from '../request/pages.ts';
import { filesSchema, managedQuery, storedFiles } from './managed.ts';
import { answer, etag, ifMatch, originOf, publish, publishQuery } from './publish.ts';

/** Not a `z.record`, which drops `__proto__` silently. The check of names has to see it. */
const documentsByName = z._default(
  z.custom<Readonly<Record<string, unknown>>>(isObject, { error: 'must map name to document' }),
  {},
);

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The headers of a set that can be published again. */
const exported = (version: number) => ({ ...etag(version), 'hookbell-config-version': String(version) });

/** `/config`: publish, export, list and roll back whole sets. */
export const configRoutes = {
  publishConfig: apiRoute({
    method: 'POST',
    path: '/config',
    role: 'editor',
    query: { ...publishQuery, ...managedQuery },
    // A whole set. It replaces the set before, so a part that is left out is empty.
    body: strictDocument({
      sources: documentsByName,
      templates: documentsByName,
      recipients: documentsByName,
      accounts: documentsByName,
      silences: documentsByName,
      providers: documentsByName,
      files: z.optional(filesSchema),
    }),
    handle: async (call) => {
      const { env, query, login } = call;
      const { files, ...set } = call.body;
      const change = { kind: 'replace', set } as const;
      const isManaged = query.managed === 'true';
      if (files !== undefined && !isManaged)
        return invalid('The request is not valid.', [
          fieldError('files', 'conflict', 'needs `managed=true`'),
        ]);
      if (!isManaged) return publish(call, change, query);
      const stored = storedFiles(files ?? {}, env);
      if (!stored.ok) return invalid('The request is not valid.', stored.error);
      const mark = { by: login.actor, at: Date.now(), files: stored.value };
      return publish(call, change, query, mark);
    },
  }),

  exportConfig: apiRoute({
    method: 'GET',
    path: '/config',
    role: 'viewer',
    view: 'words',
    query: { version: z.optional(versionNumber) },
    handle: async ({ env, query: { version } }) => {
      const current = await readSet(env, version);
      if (current === null) return notFound(`version ${version}`);
      // The same keys that `POST /config` takes, so that an export can be published as it is.
      const { sources, templates, recipients, accounts, silences, providers } = current.set;
      const set = { sources, templates, recipients, accounts, silences, providers };
      return withHeaders(set, exported(current.version));
    },
  }),

  listVersions: apiRoute({
    method: 'GET',
    path: '/config/versions',
    role: 'viewer',
    view: 'words',
    query: numberedQuery,
    handle: async ({ env, query: { limit, cursor = null } }) => {
      const { items, managed, taken_over } = await registry(env).versions(limit + 1, cursor);
      return { ...numberedPage(items, limit, ({ version }) => version), managed, taken_over };
    },
  }),

  activateVersion: apiRoute({
    method: 'POST',
    path: '/config/versions/{version}/activate',
    role: 'editor',
    query: managedQuery,
    handle: async (call) => {
      const { env, query, login } = call;
      const version = z.safeParse(versionNumber, call.params.version);
      if (!version.success) return notFound(`version \`${call.params.version}\``);
      const condition = ifMatch(call.request);
      if (!condition.ok) return condition.error;
      const mark = query.managed === 'true' ? { by: login.actor, at: Date.now() } : undefined;
      const publicUrl = originOf(call.request);
      const activation = { version: version.data, condition: condition.value, mark, publicUrl };
      return answer(call, () => registry(env).activate(activation));
    },
  }),
} satisfies ApiRoutes;
