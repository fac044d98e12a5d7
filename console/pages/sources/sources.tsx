import { useState } from 'preact/hooks';
import { providers } from '../../api/catalog.ts';
import type { Diagnosis, ListPage, Stats, ProviderSummary } from '../../api/types.ts';
import { number } from '../../lib/format.ts';
import { useGet, useLoad } from '../../lib/load.ts';
import { addressOf, useFilters } from '../../lib/router.ts';
import { useRowKeys } from '../../lib/keys.ts';
import { Mark } from '../../parts/mark.tsx';
import { useSparklines } from '../../parts/sparklines.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Empty, PageHead, Panel, Pending, Time, Copy } from '../../ui/basics.tsx';
import { Sparkline } from '../../ui/chart.tsx';
import { SearchField, SelectField } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { For, useSession } from '../../ui/session.tsx';
import { draftsOf, keepDraft } from './draft.ts';
import { hasWords, type ListedSource, missingSecrets, rowsOf, type SourceRow } from './model.ts';

const EVERY_MS = 30_000;

export function Sources() {
  const [query, filter] = useFilters();
  const search = query['q'] ?? '';
  const sources = useGet<ListPage<ListedSource>>('/sources', {}, EVERY_MS);
  const stats = useGet<Stats>('/stats', {}, EVERY_MS);
  // It asks the gateway, too: once is enough.
  const doctor = useGet<Diagnosis>('/doctor');
  const catalog = useLoad('providers', providers);
  useRowKeys('.sources-name');

  const names = new Map(catalog.value?.map(({ id, name }) => [id, name]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  const missing = doctor.value === null ? new Set<string>() : missingSecrets(doctor.value);
  const all = rowsOf(sources.value?.items ?? [], stats.value, missing);
  const rows = all.filter(({ id, provider }) => hasWords(search, id, provider, nameOf(provider)));
  return (
    <>
      <PageHead title={t.nav.sources}>
        <For role="editor">
          <a class="button main" href={addressOf('/sources/add')}>
            <Icon name="plus" />
            {t.sources.add}
          </a>
        </For>
      </PageHead>
      <For role="editor">
        <Kept nameOf={nameOf} />
      </For>
      <Pending of={sources} />
      {sources.value !== null && all.length === 0 && (
        <Empty title={t.sources.none}>
          <p>{t.sources.noneText}</p>
          <For role="editor">
            <p>
              <a class="button main" href={addressOf('/sources/add')}>
                {t.sources.add}
              </a>
            </p>
          </For>
        </Empty>
      )}
      {all.length > 0 && (
        <>
          <div class="flow filters">
            <SearchField label={t.sources.search} value={search} onInput={(q) => filter({ q })} />
          </div>
          {rows.length === 0 ? (
            <Empty title={t.sources.noneFound} />
          ) : (
            <SourceTable rows={rows} nameOf={nameOf} />
          )}
        </>
      )}
    </>
  );
}

function SourceTable({ rows, nameOf }: { rows: readonly SourceRow[]; nameOf: (id: string) => string }) {
  const ids = rows.map(({ id }) => id);
  const day = useSparklines('events', 'source', ids);
  return (
    <table class="table sources-table">
      <thead>
        <tr>
          <th scope="col">{t.common.source}</th>
          {[
            [t.sources.lastEvent],
            [t.nav.events, t.sources.since],
            [t.sources.rejected, t.sources.since],
          ].map(([name, title]) => (
            <th key={name} scope="col" class="number" title={title}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">
              <div class="line">
                <Mark id={row.provider} name={nameOf(row.provider)} />
                <div class="flow">
                  <a class="sources-name" href={addressOf(`/sources/${encodeURIComponent(row.id)}`)}>
                    {row.id}
                  </a>
                  <span class="soft small">{nameOf(row.provider)}</span>
                  {row.overdue !== null && <Badge tone="bad">{t.sources.overdue(row.overdue)}</Badge>}
                  {row.missing.length > 0 && <Badge tone="warn">{t.sources.secretMissing}</Badge>}
                </div>
              </div>
            </th>
            <td class="number">{row.lastAt === null ? t.common.never : <Time at={row.lastAt} relative />}</td>
            <td class="number">
              <Sparkline values={day.get(row.id)} />{' '}
              {countOf(row.events, '/events', row.id, t.sources.eventsOf(row.id))}
            </td>
            <td class="number">
              {countOf(row.rejected, '/rejections', row.id, t.sources.rejectionsOf(row.id))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const countOf = (value: number | null, path: string, source: string, label: string) =>
  value === null || value === 0 ? (
    <span class="soft">{value ?? '–'}</span>
  ) : (
    <a class="table-link" href={addressOf(path, { source })} aria-label={`${label}: ${number(value)}`}>
      {number(value)}
    </a>
  );

function Kept({ nameOf }: { nameOf: (id: string) => string }) {
  const session = useSession();
  const [drafts, setDrafts] = useState(() => draftsOf(session));
  if (drafts.length === 0) return null;
  const discard = (provider: string): void => {
    keepDraft(session, provider, null);
    setDrafts(draftsOf(session));
  };
  return (
    <Panel title={t.sources.drafts}>
      <p class="soft">{t.sources.draftsHelp}</p>
      <ul class="lines">
        {drafts.map(({ provider, source, missing }) => (
          <li class="flow" key={provider}>
            <Mark id={provider} name={nameOf(provider)} />
            <a class="sources-name grow" href={addressOf(`/sources/add/${provider}`)}>
              {source}
            </a>
            <Badge tone="calm">
              {missing.length === 0 ? t.sources.draftOpen : t.sources.draftWaits(missing.join(', '))}
            </Badge>
            <Button icon="close" look="quiet" onClick={() => discard(provider)}>
              {t.sources.discard}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

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
