import type { Provider } from './provider.ts';

/** Providers by their ids. */
export type Providers = Readonly<Record<string, Provider>>;

/**
 * The providers that hookbell ships. They are not part of the code, which is smaller and starts sooner without them:
 * `config/facts.ts` reads them.
 */
let known: Providers | null = null;

/** The providers; null if they have not been read. */
export const knownProviders = (): Providers | null => known;

/** Sets the providers that sources can name from now on. */
export function useProviders(providers: Providers | null): void {
  known = providers;
}

function providers(): Providers {
  if (known === null)
    throw new Error('the providers have not been read: await `loadConfig` or `readFacts` first');
  return known;
}

export const findProvider = (id: string): Provider | undefined =>
  Object.hasOwn(providers(), id) ? providers()[id] : undefined;

export const providerIds = (): readonly string[] => Object.keys(providers());

export const allProviders = (): readonly Provider[] => Object.values(providers());
