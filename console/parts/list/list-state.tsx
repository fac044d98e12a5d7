import type { ComponentChildren } from 'preact';
import type { LiveList } from '../../lib/list.ts';
import type { LiveState } from '../../lib/live.ts';
import { number } from '../../lib/format.ts';
import { t } from '../../texts/texts.ts';
import { Button, Empty, Loading, Trouble } from '../../ui/basics.tsx';
import { useLook } from '../../ui/live.tsx';

/** A list of anything, to be shown. */
type ShownList = Omit<LiveList<{ readonly id: string }>, 'patch'>;

/** Shows whether the list updates itself, with a switch. */
export function LiveButton({ state, onClick }: { state: LiveState; onClick: () => void }) {
  const [tone, word] = useLook(state);
  return (
    <button type="button" class={`button ${tone}`} aria-pressed={state !== 'off'} onClick={onClick}>
      <span class="live-dot" aria-hidden="true" />
      {word}
    </button>
  );
}

interface ListBodyProps {
  readonly list: ShownList;
  /** The text of an empty list. */
  readonly empty: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A list with its length and its new items; or a note that it is loading, is empty, or could not be read. */
export function ListBody({ list, empty, children }: ListBodyProps) {
  const { items, isLoading, error, hasMore, held, isHeldMore } = list;
  const isEmpty = items.length === 0;
  return (
    <>
      {error !== null && <Trouble error={error} again={isEmpty ? list.again : list.more} />}
      <span class="unseen" role="status">
        {held > 0 ? t.events.newerThere : ''}
      </span>
      {held > 0 && (
        <div class="list-newer">
          <Button look="main" onClick={list.showHeld}>
            {t.common.newer(`${number(held)}${isHeldMore ? '+' : ''}`)}
          </Button>
        </div>
      )}
      {isEmpty ? isLoading ? <Loading rows={12} /> : error === null && empty : children}
      {!isEmpty && isLoading && hasMore && <Loading rows={3} />}
    </>
  );
}

/** The number of rows. */
export const ListCount = ({ list }: { list: ShownList }) => (
  <p class="list-count soft">
    {list.items.length > 0 && t.common.rows(number(list.items.length), list.hasMore)}
  </p>
);

interface EmptyListProps {
  readonly isFiltered: boolean;
  readonly words: { readonly none: string; readonly noneHelp: string; readonly noneMatch: string };
}

export const EmptyList = ({ isFiltered, words }: EmptyListProps) => (
  <Empty title={isFiltered ? words.noneMatch : words.none}>
    {isFiltered ? t.events.noneMatchHelp : words.noneHelp}
  </Empty>
);
