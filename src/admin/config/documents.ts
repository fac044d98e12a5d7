import * as z from 'zod/mini';
import { providerSchema } from '../../config/documents/provider-schema.ts';
import { documentSchemas } from '../../config/documents/schema.ts';
import { readSet } from '../../config/load.ts';
import type { DocumentKind } from '../../config/documents/name.ts';
import { apiRoute, WithHeaders } from '../api/route.ts';
import { notFound, wholeList } from '../request/input.ts';
import { etag, publish, publishQuery } from './publish.ts';

const SCHEMAS = { ...documentSchemas, providers: providerSchema };

const nameIn = (kind: DocumentKind): 'id' | 'name' =>
  kind === 'sources' || kind === 'silences' || kind === 'providers' ? 'id' : 'name';

const list = (kind: DocumentKind) =>
  apiRoute(`GET /${kind}`, 'viewer', {
    view: 'words',
    handle: async ({ env }) => {
      const current = await readSet(env);
      const items = Object.entries(current?.set[kind] ?? {}).map(
        ([name, document]): Record<string, unknown> => ({
          [nameIn(kind)]: name,
          ...(typeof document === 'object' && document),
        }),
      );
      return new WithHeaders(wholeList<unknown>(items), etag(current?.version ?? 0));
    },
  });

const read = (kind: DocumentKind) =>
  apiRoute(`GET /${kind}/{${nameIn(kind)}}`, 'viewer', {
    view: 'words',
    handle: async ({ env, params }) => {
      const name = params[nameIn(kind)];
      const current = await readSet(env);
      const found = Object.entries(current?.set[kind] ?? {}).find(([other]) => other === name);
      return current === null || found === undefined
        ? notFound(`\`${name}\` in ${kind}`)
        : new WithHeaders(found[1], etag(current.version));
    },
  });

const write = (kind: DocumentKind, role: 'operator' | 'editor') =>
  apiRoute(`PUT /${kind}/{${nameIn(kind)}}`, role, {
    query: publishQuery,
    body: z.unknown(),
    shownBody: SCHEMAS[kind],
    handle: (call) => {
      const name = call.params[nameIn(kind)];
      return publish(call, { kind: 'put', collection: kind, name, document: call.body }, call.query);
    },
  });

const remove = (kind: DocumentKind) =>
  apiRoute(`DELETE /${kind}/{${nameIn(kind)}}`, 'editor', {
    query: publishQuery,
    handle: (call) => {
      const name = call.params[nameIn(kind)];
      return publish(call, { kind: 'delete', collection: kind, name }, call.query);
    },
  });

export const documentRoutes = {
  listSources: list('sources'),
  getSource: read('sources'),
  putSource: write('sources', 'editor'),
  deleteSource: remove('sources'),
  listTemplates: list('templates'),
  getTemplate: read('templates'),
  putTemplate: write('templates', 'editor'),
  deleteTemplate: remove('templates'),
  listRecipientsLists: list('recipients'),
  getRecipients: read('recipients'),
  putRecipients: write('recipients', 'editor'),
  deleteRecipients: remove('recipients'),
  listAccounts: list('accounts'),
  getAccount: read('accounts'),
  putAccount: write('accounts', 'editor'),
  deleteAccount: remove('accounts'),
  // Silences are also added by hand: `silences.ts` lists and ends both.
  getSilence: read('silences'),
  putSilence: write('silences', 'operator'),
  // Some providers are built in: `providers.ts` lists and reads both.
  putProvider: write('providers', 'editor'),
  deleteProvider: remove('providers'),
};
