import { providers } from '../../api/catalog.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf, useFilters } from '../../lib/router.ts';
import { useRowKeys } from '../../lib/row-keys.ts';
import { t } from '../../texts/texts.ts';
import { Button, Empty, Loading, PageHead, Trouble } from '../../ui/basics.tsx';
import { SelectField, TextField } from '../../ui/form.tsx';
import { CATEGORIES, shelvesOf, type Category } from './shelves.ts';
import { Monogram } from './monogram.tsx';

const wordsOf = (category: Category): string => t.sources.categories[category];

/** All kinds of sources, to choose one. */
export function Gallery() {
  const [query, filter] = useFilters();
  const [search, category] = [query['q'] ?? '', query['category'] ?? ''];
  const all = useLoad('providers', providers);
  useRowKeys('.sources-card');
  const shelves = shelvesOf(all.value ?? [], { search, category }, wordsOf);
  return (
    <>
      <PageHead title={t.sources.add} back={addressOf('/sources')} />
      <div class="filters">
        <TextField
          label={t.sources.searchProviders}
          isLabelHidden
          isSearch
          autoFocus
          type="search"
          placeholder={t.sources.searchProviders}
          value={search}
          onInput={(q) => filter({ q })}
        />
        <SelectField
          label={t.sources.category}
          isLabelHidden
          value={category}
          options={[['', t.sources.allCategories], ...CATEGORIES.map((one) => [one, wordsOf(one)] as const)]}
          onChange={(value) => filter({ category: value })}
        />
      </div>
      {all.error !== null && <Trouble error={all.error} again={all.again} />}
      {all.value === null && all.error === null && <Loading />}
      {all.value !== null && shelves.length === 0 && (
        <Empty title={t.sources.noProvider}>
          <p>{t.sources.noProviderText}</p>
          <p class="sources-empty-actions">
            <a class="button main" href={addressOf('/sources/add/generic')}>
              {t.sources.useGeneric}
            </a>
            <Button onClick={() => filter({ q: '', category: '' })}>{t.common.clearFilters}</Button>
          </p>
        </Empty>
      )}
      {shelves.map(({ category: one, providers: shelf }) => (
        <section key={one} class="sources-shelf" aria-label={wordsOf(one)}>
          <h2>{wordsOf(one)}</h2>
          <ul class="sources-cards">
            {shelf.map(({ id, name, signs }) => (
              <li key={id}>
                <a class="sources-card" href={addressOf(`/sources/add/${id}`)}>
                  <Monogram name={name} />
                  <span class="sources-card-name">
                    {name}
                    {!signs && <small>{t.sources.unsigned}</small>}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
