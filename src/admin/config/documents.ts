import { Hono } from 'hono/tiny';
import { readSet } from '../../config/registry-client.ts';
import { KINDS, type DocumentKind } from '../../config/kinds.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { checkQuery, notFound, readJson } from '../request/input.ts';
import { etag, publish } from './publish.ts';

/** `GET|PUT|DELETE /{collection}/{name}` and `GET /{collection}`: each write publishes a version. */
export const documents = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

for (const collection of KINDS) {
  documents.get(`/${collection}/:name`, async (context) => {
    const name = context.req.param('name');
    const current = await readSet(context.env);
    const found = Object.entries(current?.set[collection] ?? {}).find(([other]) => other === name);
    if (current === null || found === undefined) return notFound(`\`${name}\` in ${collection}`);
    return Response.json(found[1], { headers: etag(current.version) });
  });

  documents.put(`/${collection}/:name`, async (context) => {
    const document = await readJson(context.req.raw);
    if (!document.ok) return document.error;
    return publish(context, {
      kind: 'put',
      collection,
      name: context.req.param('name'),
      document: document.value,
    });
  });

  // Those that were added by hand are listed and ended there, too: see `silences.ts`.
  if (collection === 'silences') continue;

  documents.get(`/${collection}`, async (context) => {
    const query = checkQuery({}, context);
    if (!query.ok) return query.error;
    const current = await readSet(context.env);
    const items = Object.entries(current?.set[collection] ?? {}).map(([name, document]) =>
      shown(collection, name, document),
    );
    return context.json({ items, next_cursor: null }, 200, etag(current?.version ?? 0));
  });

  documents.delete(`/${collection}/:name`, (context) =>
    publish(context, { kind: 'delete', collection, name: context.req.param('name') }),
  );
}

/** A list has each document with its name. */
const shown = (collection: DocumentKind, name: string, document: unknown): Record<string, unknown> => ({
  [collection === 'sources' ? 'id' : 'name']: name,
  ...(typeof document === 'object' && document),
});
