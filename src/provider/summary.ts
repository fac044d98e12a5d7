import type { Provider } from './provider.ts';

/** The line of a provider in lists of the API and of the command line. */
export const summaryOf = ({ id, name, category, verify, words }: Provider) => ({
  id,
  name,
  category,
  // A form on a public page has a scheme, and it is `none`.
  signs: verify !== null && verify.scheme !== 'none',
  ...(words !== undefined && { words }),
});
