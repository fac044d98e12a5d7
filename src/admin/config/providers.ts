import * as z from 'zod/mini';
import type { ProviderAnswer } from './api-config.ts';
import { allProviders, findProvider, summaryOf } from '../../provider/provider.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { notFound, wholeList } from '../request/input.ts';
import { FIRST_LANGUAGE, languageOf, withTexts } from '../../config/documents/starter-texts.ts';
import { localeTag } from '../../config/documents/schema.ts';
import { readFacts } from '../../config/compiled/facts.ts';
import { readSet } from '../../config/load.ts';
import {
  readProvider,
  sampleOf,
  type ProviderParts,
  type Starter,
} from '../../config/documents/provider-file.ts';
import { assetText } from '../../lib/bindings.ts';
import { parseOwnJson } from '../../lib/json.ts';

export const providerRoutes = {
  listProviders: apiRoute('GET /providers', 'viewer', {
    view: 'words',
    handle: async ({ env }) => {
      const own = await ownProviders(env);
      const shipped = allProviders().filter(({ id }) => !own.has(id));
      return wholeList([
        ...[...own.values()].map(({ provider }) => ({ ...summaryOf(provider), own: true as const })),
        ...shipped.map(summaryOf),
      ]);
    },
  }),

  getProvider: apiRoute('GET /providers/{id}', 'viewer', {
    view: 'words',
    query: { locale: z.optional(localeTag) },
    handle: async ({ env, params: { id }, query }): Promise<ProviderAnswer | Response> => {
      const found = await findParts(env, id);
      if (found === null) return notFound(`provider \`${id}\``);
      const { provider, starter, document } = found;
      const shown = { ...provider, ...worded(starter, query.locale), samples: samplesOf(starter) };
      return { ...shown, ...(document !== undefined && { document }) };
    },
  }),
} satisfies ApiRoutes;

type FoundProvider = ProviderParts & { readonly document?: unknown };

/** The provider with this id: of the set in force, or else shipped. Null if there is none. */
export async function findParts(env: Env, id: string): Promise<FoundProvider | null> {
  const own = (await ownProviders(env)).get(id);
  const provider = findProvider(id);
  if (own !== undefined || provider === undefined) return own ?? null;
  return { provider, starter: parseOwnJson(await assetText(env.ASSETS, `providers/${id}.json`)) };
}

async function ownProviders(env: Env): Promise<ReadonlyMap<string, FoundProvider>> {
  await readFacts(env, Date.now());
  const files = Object.entries((await readSet(env))?.set.providers ?? {});
  return new Map(
    files.flatMap(([id, document]) => {
      const read = readProvider(id, document);
      return read.ok ? [[id, { ...read.value, document }] as const] : [];
    }),
  );
}

/** The starter with its texts in the language of a locale, or else in English, and that language. */
function worded(starter: Starter, locale = FIRST_LANGUAGE) {
  const { texts, mark: _, ...rest } = starter;
  const wanted = languageOf(locale);
  const language = Object.hasOwn(texts, wanted) ? wanted : FIRST_LANGUAGE;
  return { ...withTexts(rest, texts[language] ?? {}), language };
}

export const samplesOf = (starter: Pick<Starter, 'samples'> | null) => (starter?.samples ?? []).map(sampleOf);
