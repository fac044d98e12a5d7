import type { ProviderAnswer } from './types.ts';

/** All that a provider says to a person, in one language: `assets/set-up/{language}/{id}.json`. */
export interface SetUpTexts {
  readonly setup: string;
  /** The place where a person finds its secret. */
  readonly hint?: string;
  /** Questions about the person's account, by their names. */
  readonly asks?: Readonly<Record<string, string>>;
  /** Names of samples that are more than the type of an event, by their English ones. */
  readonly samples?: Readonly<Record<string, string>>;
}

/** From all providers that were read. A name has the same words everywhere. */
const samples = new Map<string, string>();

/** The name of a sample as a person reads it; the API takes the one that it gave. */
export const sampleName = (name: string): string => samples.get(name) ?? name;

export function nameSamples({ samples: names = {} }: SetUpTexts): void {
  for (const [name, other] of Object.entries(names)) samples.set(name, other);
}

export const inWords = (
  provider: ProviderAnswer,
  { setup, hint, asks = {} }: SetUpTexts,
): ProviderAnswer => ({
  ...provider,
  setup,
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
