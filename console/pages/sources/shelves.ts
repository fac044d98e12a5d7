import type { ProviderSummary } from '../../api/types.ts';
import { hasWords } from './model.ts';

export type Category = ProviderSummary['category'];

/** In the order in which they are shown. */
export const CATEGORIES: readonly Category[] = [
  'payments',
  'commerce',
  'forms',
  'crm',
  'messaging',
  'email',
  'devops',
  'alerts',
  'other',
];

export interface Shelf {
  readonly category: Category | 'own' | 'popular';
  readonly providers: readonly ProviderSummary[];
}

/**
 * The providers that fit a search and a category: those of this configuration, then by category and by name; between
 * them, if nobody searches, the popular ones. Empty categories are left out.
 */
export function shelvesOf(
  all: readonly ProviderSummary[],
  { search, category }: { readonly search: string; readonly category: string },
  wordsOf: (category: Category) => string,
): readonly Shelf[] {
  const fits = all.filter(
    (one) =>
      (category === '' || one.category === category) &&
      hasWords(search, one.id, one.name, one.category, wordsOf(one.category), ...(one.words ?? [])),
  );
  const popular = search === '' && category === '' ? fits.filter((one) => one.popular !== undefined) : [];
  const shelves: readonly Shelf[] = [
    { category: 'own', providers: fits.filter(({ own }) => own) },
    { category: 'popular', providers: popular },
    ...CATEGORIES.map((one) => ({
      category: one,
      providers: fits
        .filter((provider) => provider.category === one && provider.own !== true)
        .toSorted((a, b) => a.name.localeCompare(b.name)),
    })),
  ];
  return shelves.filter(({ providers }) => providers.length > 0);
}
