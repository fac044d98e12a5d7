import { defaultRoute } from '../../shared/new-source/plan.ts';
import { language, t } from '../texts/texts.ts';
import { get, asset } from './client.ts';
import type { ListPage, ProviderAnswer, ProviderSummary } from './types.ts';

export const providers = async (signal?: AbortSignal): Promise<readonly ProviderSummary[]> =>
  (await get<ListPage<ProviderSummary>>('/providers', {}, signal)).items.map(named);

/** A provider in the person's language, with the starter's texts in the source's language. `locale`: of the source. */
export async function provider(id: string, locale: string, signal?: AbortSignal): Promise<ProviderAnswer> {
  const answer = await get<ProviderAnswer>(`/providers/${encodeURIComponent(id)}`, { locale }, signal);
  const { routes = [] } = answer;
  const found = routes.length > 0 ? answer : { ...answer, routes: [defaultRoute(answer)] };
  const texts = found.languages?.[language];
  // There are none in this language, so the provider's English texts stay.
  if (texts === undefined) return named(found);
  for (const [name, other] of Object.entries(texts.samples ?? {})) samples.set(name, other);
  const { setup = found.setup, hint, asks = {} } = texts;
  const askedIn = Object.entries(found.asks ?? {}).map(([name, ask]) => {
    return [name, { ...ask, question: asks[name] ?? ask.question }] as const;
  });
  return named({
    ...found,
    ...(setup !== undefined && { setup }),
    ...(found.secret !== undefined && hint !== undefined && { secret: { ...found.secret, hint } }),
    ...(found.asks !== undefined && { asks: Object.fromEntries(askedIn) }),
  });
}

const named = <Some extends { readonly id: string; readonly name: string }>(provider: Some): Some => ({
  ...provider,
  name: t.sources.providerNames[provider.id] ?? provider.name,
});

/** From all providers that were read. A name has the same words everywhere. */
const samples = new Map<string, string>();

export const sampleName = (name: string): string => samples.get(name) ?? name;

/** The words that sentences of routes are made of, in a language: `assets/route-words/{language}.json`. */
export interface RouteWords {
  readonly when: string;
  /** Stands for a noun that the name does not have. */
  readonly it: string;
  /** `order`: `an order`. */
  readonly nouns: Readonly<Record<string, string>>;
  /** `shipped`: `is shipped`. */
  readonly verbs: Readonly<Record<string, string>>;
  /** Whole sentences, by the name of the route. */
  readonly routes: Readonly<Record<string, string>>;
  /** The same for names that differ between providers. */
  readonly providers: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const NONE: RouteWords = { when: '', it: '', nouns: {}, verbs: {}, routes: {}, providers: {} };

/** The words in the person's language. Without them, a route is called by its name. */
export const readRouteWords = async (signal?: AbortSignal): Promise<RouteWords> =>
  (await asset<RouteWords>(`/route-words/${language}.json`, signal)) ?? NONE;
