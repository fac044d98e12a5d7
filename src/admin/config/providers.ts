import { providers } from '../../provider/catalog/catalog.ts';
import { summaryOf } from '../../provider/summary.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { notFound } from '../request/input.ts';
import { wholeList } from '../request/pages.ts';
import { readWordedStarter, samplesOf } from './starters.ts';
import { FIRST_LANGUAGE } from '../../config/starter-texts.ts';
import { sourceSchema } from '../../config/schema.ts';
import { providerSubject, readSubjects } from '../../config/subjects.ts';

/** The providers that hookbell ships. */
export const providerRoutes = {
  listProviders: apiRoute({
    method: 'GET',
    path: '/providers',
    role: 'viewer',
    view: 'words',
    handle: async () => wholeList([...providers.values()].map(summaryOf)),
  }),

  getProvider: apiRoute({
    method: 'GET',
    path: '/providers/{id}',
    role: 'viewer',
    view: 'words',
    query: { locale: sourceSchema.shape.locale },
    handle: async ({ env, params: { id }, query: { locale = FIRST_LANGUAGE } }) => {
      const provider = providers.get(id);
      if (provider === undefined) return notFound(`provider \`${id}\``);
      const [starter] = await Promise.all([
        readWordedStarter(env, id, locale),
        readSubjects(env, Date.now()),
      ]);
      const subject = providerSubject(id);
      return jsonOf({
        ...provider,
        ...(subject !== undefined && { subject }),
        ...starter,
        samples: samplesOf(starter),
      });
    },
  }),
} satisfies ApiRoutes;

/** Patterns of hosts are shown as they are written; JSON would turn them into `{}`. */
const jsonOf = (value: object): unknown =>
  JSON.parse(JSON.stringify(value, (_, inner: unknown) => (inner instanceof RegExp ? inner.source : inner)));
