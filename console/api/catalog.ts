import { language, t } from '../texts/texts.ts';
import { get } from './client.ts';
import { inWords, nameSamples } from './set-up-texts.ts';
import type { ListPage, ProviderAnswer, ProviderSummary } from './types.ts';

let known: Promise<readonly ProviderSummary[]> | null = null;

/** All providers. Only a deploy changes them, so they are loaded once. */
export function providers(): Promise<readonly ProviderSummary[]> {
  known ??= get<ListPage<ProviderSummary>>('/providers').then(
    ({ items }) => items.map(named),
    (thrown: unknown) => {
      known = null;
      throw thrown;
    },
  );
  return known;
}

/** A provider in the person's language, with the starter's texts in the source's language. `locale`: of the source. */
export async function provider(id: string, locale: string, signal?: AbortSignal): Promise<ProviderAnswer> {
  const found = await get<ProviderAnswer>(`/providers/${encodeURIComponent(id)}`, { locale }, signal);
  const texts = found.languages?.[language];
  // There are none in this language, so the provider's English texts stay.
  if (texts === undefined) return named(found);
  nameSamples(texts);
  return named(inWords(found, texts));
}

/** The provider with its name in the person's language. */
const named = <Some extends { readonly id: string; readonly name: string }>(provider: Some): Some => ({
  ...provider,
  name: t.sources.providerNames[provider.id] ?? provider.name,
});
