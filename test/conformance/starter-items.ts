import type { Sample } from '../../src/config/documents/provider-file.ts';
import type { DraftItem } from '../../src/outbox/state/acceptance.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { compiledSource, routeSample, samplesOf } from './starters.ts';

/** The items of a sample, with the route that each belongs to. */
export interface SampleItem extends DraftItem {
  readonly sample: string;
}

/** The items that a provider's samples make, for routes that report them later. */
export async function itemsOf(provider: Provider, sample: Sample): Promise<readonly SampleItem[]> {
  const results = await routeSample(provider, sample, 'en-GB');
  return results.flatMap(({ items = [] }) => items.map((item) => ({ ...item, sample: sample.name })));
}

export const allItemsOf = async (provider: Provider): Promise<readonly SampleItem[]> =>
  (await Promise.all(samplesOf(provider).map((sample) => itemsOf(provider, sample)))).flat();

/** The starter's routes whose items are incidents, by name. */
export const incidentRoutes = (provider: Provider): readonly string[] =>
  compiledSource(provider, 'en-GB')
    .routes.filter(({ alerting }) => alerting !== null && alerting.incident !== null)
    .map(({ name }) => name);
