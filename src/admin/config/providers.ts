import * as z from 'zod/mini';
import type { ProviderAnswer } from './api-provider.ts';
import { readFacts } from '../../config/facts.ts';
import { allProviders, findProvider } from '../../provider/known.ts';
import { summaryOf } from '../../provider/summary.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { notFound } from '../request/input.ts';
import { wholeList } from '../request/pages.ts';
import { readWordedStarter, samplesOf } from './starters.ts';
import { FIRST_LANGUAGE } from '../../config/starter-texts.ts';
import { localeTag } from '../../config/schema.ts';

/** The providers that hookbell ships. */
export const providerRoutes = {
  listProviders: apiRoute({
    method: 'GET',
    path: '/providers',
    role: 'viewer',
    view: 'words',
    handle: async ({ env }) => {
      await readFacts(env, Date.now());
      return wholeList(allProviders().map(summaryOf));
    },
  }),

  getProvider: apiRoute({
    method: 'GET',
    path: '/providers/{id}',
    role: 'viewer',
    view: 'words',
    query: { locale: z.optional(localeTag) },
    handle: async ({
      env,
      params: { id },
      query: { locale = FIRST_LANGUAGE },
    }): Promise<ProviderAnswer | Response> => {
      await readFacts(env, Date.now());
      const provider = findProvider(id);
      if (provider === undefined) return notFound(`provider \`${id}\``);
      const starter = await readWordedStarter(env, id, locale);
      return { ...provider, ...starter, samples: samplesOf(starter) };
    },
  }),
} satisfies ApiRoutes;
