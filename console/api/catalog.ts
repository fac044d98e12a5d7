import { get } from './client.ts';
import type { Page, Provider, ProviderSummary } from './types.ts';

let known: Promise<readonly ProviderSummary[]> | null = null;

/** All providers. They are part of what is deployed, so they are asked for once. */
export function providers(): Promise<readonly ProviderSummary[]> {
  known ??= get<Page<ProviderSummary>>('/providers').then(
    ({ items }) => items,
    (thrown: unknown) => {
      known = null;
      throw thrown;
    },
  );
  return known;
}

/** `locale`: of the source that it is for. */
export const provider = (id: string, locale: string, signal?: AbortSignal): Promise<Provider> =>
  get<Provider>(`/providers/${encodeURIComponent(id)}`, { locale }, signal);
