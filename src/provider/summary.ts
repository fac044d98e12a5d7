import type { Provider } from './provider.ts';

/** A provider in lists of the API and of the command line. */
export const summaryOf = ({ id, name, category, popular, verify, words }: Provider) => ({
  id,
  name,
  category,
  // A form on a public page has the scheme `none`, which is not a signature.
  signs: verify !== null && verify.scheme !== 'none',
  ...(popular !== undefined && { popular }),
  ...(words !== undefined && { words }),
});
