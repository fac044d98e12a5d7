import { providers } from '../../api/catalog.ts';
import type { ProviderSummary } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf, useFilters } from '../../lib/router.ts';
import { useRowKeys } from '../../lib/keys.ts';
import { Mark } from '../../parts/mark.tsx';
import { t } from '../../texts/texts.ts';
import { Button, Copy, Empty, PageHead, Panel, Pending } from '../../ui/basics.tsx';
import { SearchField, SelectField } from '../../ui/form.tsx';
import { hasWords } from './model.ts';

const { own, popular, ...categories } = t.sources.categories;

export function AddSource() {
  const [query, filter] = useFilters();
  const [search, category] = [query['q'] ?? '', query['category'] ?? ''];
  const all = useLoad('providers', providers);
  useRowKeys('.sources-card');
  const shelves = shelvesOf(all.value ?? [], search, category);
  return (
    <>
      <PageHead title={t.sources.add} back="/sources" />
      <div class="flow filters">
        <SearchField
          label={t.sources.searchProviders}
          autoFocus
          value={search}
          onInput={(q) => filter({ q })}
        />
        <SelectField
          label={t.sources.category}
          isLabelHidden
          value={category}
          options={[['', t.sources.allCategories], ...Object.entries(categories)]}
          onChange={(value) => filter({ category: value })}
        />
      </div>
      <Pending of={all} />
      {all.value !== null && shelves.length === 0 && (
        <Empty title={t.sources.noProvider}>
          <p>{t.sources.noProviderText}</p>
          <p class="flow sources-empty-actions">
            <a class="button main" href={addressOf('/sources/add/generic')}>
              {t.sources.useGeneric}
            </a>
            <Button onClick={() => filter({ q: '', category: '' })}>{t.common.clearFilters}</Button>
          </p>
        </Empty>
      )}
      <div class="columns sources-gallery">
        <div>
          {shelves.map(([name, shelf]) => (
            <section key={name} class="below sources-shelf" aria-label={name}>
              <h2>{name}</h2>
              <ul class="cards sources-cards">
                {shelf.map(({ id, name, signs }) => (
                  <li key={id}>
                    <a class="line sources-card" href={addressOf(`/sources/add/${id}`)}>
                      <Mark id={id} name={name} />
                      <span class="grow sources-card-name">
                        {name}
                        {!signs && <small>{t.sources.unsigned}</small>}
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
        <Recipes />
      </div>
    </>
  );
}

/** Several sources that belong together. The command line writes them, with the answers that each asks for. */
const Recipes = () => (
  <Panel title={t.sources.recipes}>
    <p class="soft">{t.sources.recipesHelp}</p>
    <ul class="lines">
      {Object.entries(t.sources.recipeNames).map(([id, name]) => (
        <li key={id}>
          <strong>{name}</strong>
          <Copy text={`npx hookbell init --recipe ${id}`} />
        </li>
      ))}
    </ul>
  </Panel>
);

/**
 * The providers that fit a search and a category: those of this configuration, then by category and by name; between
 * them, if nobody searches, the popular ones. Empty categories are left out.
 */
function shelvesOf(all: readonly ProviderSummary[], search: string, category: string) {
  const fits = all.filter(
    (one) =>
      (category === '' || one.category === category) &&
      hasWords(search, one.id, one.name, one.category, categories[one.category], ...(one.words ?? [])),
  );
  const isWhole = search === '' && category === '';
  const others = fits.filter((one) => one.own !== true).toSorted((a, b) => a.name.localeCompare(b.name));
  const shelves = [
    [own, fits.filter((one) => one.own)] as const,
    [popular, fits.filter((one) => isWhole && one.popular !== undefined)] as const,
    ...Object.entries(categories).map(
      ([id, name]) => [name, others.filter((one) => one.category === id)] as const,
    ),
  ];
  return shelves.filter(([, providers]) => providers.length > 0);
}
