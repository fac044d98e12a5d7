import * as z from 'zod/mini';
import type { ProviderAnswer } from './api-provider.ts';
import { allProviders } from '../../provider/known.ts';
import { summaryOf } from '../../provider/summary.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { notFound, wholeList } from '../request/input.ts';
import { findParts, ownProviders, samplesOf, worded } from './starters.ts';
import { FIRST_LANGUAGE } from '../../config/documents/starter-texts.ts';
import { localeTag } from '../../config/documents/schema.ts';

/** The providers of the set in force, and those that hookbell ships. */
export const providerRoutes = {
  listProviders: apiRoute({
    method: 'GET',
    path: '/providers',
    role: 'viewer',
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
      const found = await findParts(env, id);
      if (found === null) return notFound(`provider \`${id}\``);
      const { provider, starter, document } = found;
      return {
        ...provider,
        ...worded(starter, locale),
        samples: samplesOf(starter),
        ...(document !== undefined && { document }),
      };
    },
  }),
} satisfies ApiRoutes;
