import type { ProviderAnswer } from './types.ts';

/** All that a provider says to a person, in one language. */
type SetUpTexts = NonNullable<ProviderAnswer['languages']>[string];

/** From all providers that were read. A name has the same words everywhere. */
const samples = new Map<string, string>();

/** The name of a sample as a person reads it; the API takes the one that it gave. */
export const sampleName = (name: string): string => samples.get(name) ?? name;

export function nameSamples({ samples: names = {} }: SetUpTexts): void {
  for (const [name, other] of Object.entries(names)) samples.set(name, other);
}

export const inWords = (
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
