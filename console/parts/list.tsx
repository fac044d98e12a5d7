import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Frame, ListPage as Page } from '../api/types.ts';
import { number } from '../lib/format.ts';
import { useKeys } from '../lib/keys.ts';
import { useLiveList } from '../lib/list.ts';
import { useFilters } from '../lib/router.ts';
import { t } from '../texts/texts.ts';
import { useSources } from './documents.ts';
import { Button, Empty, Loading, PageHead, Trouble } from '../ui/basics.tsx';
import { SelectField, TextField, useSettled } from '../ui/form.tsx';
import type { IconName } from '../ui/icon.tsx';
import { useLook } from '../ui/live.tsx';
import { type Heads, Rows, useIsNarrow } from '../ui/rows.tsx';
import { Bulk, bulkFilter, type BulkKind, type ListFilter } from './bulk.tsx';

type Row = { readonly id: string };

interface ListPageProps<Of extends Page<Row>, Item = Of['items'][number]> {
  readonly title: string;
  /** The list in the API, and before the id in the address of an item's page. */
  readonly path: string;
  readonly names: readonly string[];
  readonly actions: readonly { kind: BulkKind; key: string; icon: IconName; label: string }[];
  /** True if its pages are asked for one by one, as those of a search: nothing comes to it by itself. */
  readonly isOnDemand?: boolean;
  readonly concerns: (frame: Frame, filters: Readonly<Record<string, string>>) => boolean;
  readonly after?: (item: Item, frame: Frame) => Item;
  readonly words: { readonly none: string; readonly noneHelp: string; readonly noneMatch: string };
  readonly search: ComponentChildren;
  readonly filters: ComponentChildren;
  readonly note?: (page: Of | null) => ComponentChildren;
  /** The height of a row on a phone and elsewhere, in pixels. */
  readonly heights: readonly [narrow: number, wide: number];
  readonly heads: Heads;
  readonly children: (item: Item) => ComponentChildren;
}

/** A page that is a list: newest first, live, with filters, and with what can be done to all that they show. */
export function ListPage<Of extends Page<Row>>(props: ListPageProps<Of>) {
  const { title, path, names, actions, isOnDemand = false, words, heights } = props;
  const [query] = useFilters();
  const [isLive, setLive] = useState(true);
  const [bulk, setBulk] = useState<{ readonly kind: BulkKind; readonly filter: ListFilter } | null>(null);
  const isNarrow = useIsNarrow();
  const given = Object.fromEntries(names.map((name) => [name, query[name]]));
  const concerns = (frame: Frame): boolean => props.concerns(frame, query);
  const list = useLiveList<Of>(path, given, isLive && !isOnDemand, concerns, props.after);
  const count = names.filter((name) => isSet(query[name])).length;
  const toggleLive = (): void => setLive(!isLive);
  const ask = (kind: BulkKind): void => setBulk({ kind, filter: bulkFilter(query, names, Date.now()) });
  useKeys([
    { key: 'l', label: t.events.keyLive, run: toggleLive },
    { key: 'n', label: t.events.keyNewer, run: list.showHeld },
    ...actions.map(({ kind, key }) => ({ key, label: t.bulk[kind].title, run: () => ask(kind) })),
  ]);
  const { items, isLoading, error, held } = list;
  const isEmpty = list.page !== null && items.length === 0;
  const [isFiltering, setFiltering] = useState(count > 0);
  const [tone, word] = useLook(list.live);
  return (
    <>
      <PageHead title={title}>
        {!isOnDemand && (
          <Button look={tone} isPressed={list.live !== 'off'} onClick={toggleLive}>
            <span class="live-dot" aria-hidden="true" />
            {word}
          </Button>
        )}
        {actions.length > 0 && !isEmpty && (
          <div class="flow act-bar">
            {actions.map(({ kind, icon, label }) => (
              <Button key={kind} icon={icon} onClick={() => ask(kind)}>
                {label}
              </Button>
            ))}
          </div>
        )}
      </PageHead>
      <div class="below filter-bar">
        <div class="line filter-first">
          {props.search}
          {isNarrow && (
            <Button isExpanded={isFiltering} onClick={() => setFiltering(!isFiltering)}>
              {t.events.filters(count)}
            </Button>
          )}
        </div>
        {(!isNarrow || isFiltering) && <Filters names={names}>{props.filters}</Filters>}
      </div>
      {props.note?.(list.page)}
      <p class="list-count soft">{items.length > 0 && t.common.rows(number(items.length), list.hasMore)}</p>
      {error !== null && <Trouble error={error} again={items.length === 0 ? list.again : list.more} />}
      <span class="unseen" role="status">
        {held > 0 ? t.events.newerThere : ''}
      </span>
      {held > 0 && (
        <div class="list-newer">
          <Button look="main" onClick={list.showHeld}>
            {t.common.newer(`${number(held)}${list.isHeldMore ? '+' : ''}`)}
          </Button>
        </div>
      )}
      {items.length === 0 && !isLoading && error === null && (
        <Empty title={count > 0 ? words.noneMatch : words.none}>
          {count > 0 ? t.events.noneMatchHelp : words.noneHelp}
        </Empty>
      )}
      {items.length > 0 && (
        <Rows
          label={title}
          items={items}
          height={isNarrow ? heights[0] : heights[1]}
          heads={isNarrow ? undefined : props.heads}
          keyOf={({ id }) => id}
          pathOf={({ id }) => `${path}/${id}`}
          onEnd={isOnDemand ? undefined : list.more}
        >
          {props.children}
        </Rows>
      )}
      {isLoading && (items.length === 0 || list.hasMore) && <Loading />}
      {isOnDemand && list.hasMore && (
        <div class="stack list-further">
          <Button isBusy={isLoading} onClick={list.more}>
            {t.events.lookFurther}
          </Button>
        </div>
      )}
      {bulk !== null && (
        <Bulk
          {...bulk}
          onClose={() => {
            setBulk(null);
            list.again();
          }}
        />
      )}
    </>
  );
}

const isSet = (value = ''): boolean => value !== '';

type FiltersProps = { readonly names: readonly string[]; readonly children: ComponentChildren };

/** The filters in the address, with a button that takes away those of `names` that are set. */
export function Filters({ names, children }: FiltersProps) {
  const [query, setFilters] = useFilters();
  const clear = (): void => setFilters(Object.fromEntries(names.map((name) => [name, ''])));
  return (
    <div class="flow filters">
      {children}
      {names.some((name) => isSet(query[name])) && (
        <Button look="quiet" icon="close" onClick={clear}>
          {t.common.clearFilters}
        </Button>
      )}
    </div>
  );
}

type FilterProps = { readonly name: string; readonly label: string };

type FilterChoiceProps = FilterProps & { options: readonly (readonly [string, string])[]; clears?: string };

/**
 * One of a few values. Another value in the address is shown, too, since it is in force. `clears`: another filter that makes
 * no sense with the next choice.
 */
export function FilterChoice({ name, label, options, clears }: FilterChoiceProps) {
  const [{ [name]: value = '' }, setFilters] = useFilters();
  const isKnown = value === '' || options.some(([one]) => one === value);
  return (
    <SelectField
      label={label}
      value={value}
      options={[['', t.common.all], ...options, ...(isKnown ? [] : [[value, value] as const])]}
      onChange={(chosen) => setFilters({ [name]: chosen, ...(clears !== undefined && { [clears]: '' }) })}
    />
  );
}

export const SourceFilter = () => (
  <FilterChoice name="source" label={t.common.source} options={useSources().map(({ id }) => [id, id])} />
);

type FilterTextProps = FilterProps & { placeholder?: string; read?: (typed: string) => string };

/** Any text, as `read` has it for the API; it is in force once nobody types any more. */
export function FilterText({ name, label, placeholder = '', read = (typed) => typed }: FilterTextProps) {
  const [{ [name]: value = '' }, setFilters] = useFilters();
  const [typed, setTyped] = useState(value);
  const settled = useSettled(typed.trim(), 400);
  // Also when it is taken away elsewhere.
  useEffect(() => setTyped((old) => (old.trim() === value ? old : value)), [value]);
  useEffect(() => {
    if (settled !== value && settled === typed.trim()) setFilters({ [name]: read(settled) });
  }, [settled]);
  return <TextField label={label} value={typed} onInput={setTyped} placeholder={placeholder} />;
}
