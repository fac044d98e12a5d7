import { defaultRoute } from '../../shared/new-source/default-route.ts';
import { language, t } from '../texts/texts.ts';
import { get } from './client.ts';
import type { ListPage, ProviderAnswer, ProviderSummary } from './types.ts';

/** All providers: those of the configuration, and those that are built in. */
export const providers = async (signal?: AbortSignal): Promise<readonly ProviderSummary[]> =>
  (await get<ListPage<ProviderSummary>>('/providers', {}, signal)).items.map(named);

/** A provider in the person's language, with the starter's texts in the source's language. `locale`: of the source. */
export async function provider(id: string, locale: string, signal?: AbortSignal): Promise<ProviderAnswer> {
  const answer = await get<ProviderAnswer>(`/providers/${encodeURIComponent(id)}`, { locale }, signal);
  const { routes = [] } = answer;
  const found = routes.length > 0 ? answer : { ...answer, routes: [defaultRoute(answer.name)] };
  const texts = found.languages?.[language];
  // There are none in this language, so the provider's English texts stay.
  if (texts === undefined) return named(found);
  nameSamples(texts);
  return named(translated(found, texts));
}

const named = <Some extends { readonly id: string; readonly name: string }>(provider: Some): Some => ({
  ...provider,
  name: t.sources.providerNames[provider.id] ?? provider.name,
});

type SetUpTexts = NonNullable<ProviderAnswer['languages']>[string];

/** From all providers that were read. A name has the same words everywhere. */
const samples = new Map<string, string>();

/** The name of a sample as a person reads it; the API takes the one that it gave. */
export const sampleName = (name: string): string => samples.get(name) ?? name;

function nameSamples({ samples: names = {} }: SetUpTexts): void {
  for (const [name, other] of Object.entries(names)) samples.set(name, other);
}

const translated = (
  provider: ProviderAnswer,
  { setup = provider.setup, hint, asks = {} }: SetUpTexts,
): ProviderAnswer => ({
  ...provider,
  ...(setup !== undefined && { setup }),
  ...(provider.secret !== undefined && hint !== undefined && { secret: { ...provider.secret, hint } }),
  ...(provider.asks !== undefined && {
    asks: Object.fromEntries(
      Object.entries(provider.asks).map(([name, ask]) => [
        name,
        { ...ask, question: asks[name] ?? ask.question },
      ]),
    ),
  }),
});
