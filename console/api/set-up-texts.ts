import type { Provider } from './types.ts';

/** All that a provider says to a person, in one language: `assets/set-up/{language}/{id}.json`. */
export interface SetUpTexts {
  readonly setup: string;
  /** Where its secret is found. */
  readonly hint?: string;
  /** Questions about the person's account, by their names. */
  readonly asks?: Readonly<Record<string, string>>;
}

export const inWords = (provider: Provider, { setup, hint, asks = {} }: SetUpTexts): Provider => ({
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
