import type { ComponentChildren, CSSProperties } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useRowKeys } from '../lib/keys.ts';
import { addressOf } from '../lib/router.ts';
import { useWatched } from './live.tsx';

/** Rows drawn above and below the visible ones, so that scrolling never shows a gap. */
const MARGIN_ROWS = 12;
/** The number of rows before the end of the list at which more of it is requested. */
const MORE_ROWS = 40;

/** The heads of columns, in the grid of this class. Each row says the same to those who hear the page. */
export type Heads = readonly [grid: string, words: readonly string[]];

interface RowsProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  /** In pixels; on a phone rows are higher. */
  readonly height: number;
  readonly keyOf: (item: Item) => string;
  readonly pathOf: (item: Item) => string;
  readonly children: (item: Item) => ComponentChildren;
  readonly actions?: ((item: Item) => ComponentChildren) | undefined;
  readonly heads?: Heads | undefined;
  readonly onEnd?: (() => void) | undefined;
}

/** A list of any length: only the visible rows are drawn. The window scrolls, so that a phone's address bar goes away. */
export function Rows<Item>(props: RowsProps<Item>) {
  const { label, items, height, keyOf, pathOf, children, actions, heads, onEnd } = props;
  const list = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ from: 0, to: 40 });

  useLayoutEffect(() => {
    const look = (): void => {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      const from = Math.max(0, Math.floor(-top / height) - MARGIN_ROWS);
      const to = from + Math.ceil(innerHeight / height) + 2 * MARGIN_ROWS;
      setRange((old) => (old.from === from && old.to === to ? old : { from, to }));
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [height]);

  useEffect(() => {
    if (onEnd !== undefined && range.to > items.length - MORE_ROWS) onEnd();
  }, [range.to, items.length, onEnd]);

  useRowKeys('.row > a');

  const shown = items.slice(range.from, range.to);
  const size = { '--rows': items.length, '--row-height': `${height}px` } as CSSProperties;
  return (
    <>
      {heads !== undefined && (
        <div class="row-heads" aria-hidden="true">
          <div class={heads[0]}>
            {heads[1].map((word) => (
              <span key={word}>{word}</span>
            ))}
          </div>
        </div>
      )}
      <div class="rows" role="list" aria-label={label} ref={list} style={size}>
        {shown.map((item, index) => (
          <div
            key={keyOf(item)}
            class="row"
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={range.from + index + 1}
            style={{ transform: `translateY(${(range.from + index) * height}px)` }}
          >
            <a class="line" href={addressOf(pathOf(item))}>
              {children(item)}
            </a>
            {actions !== undefined && <div class="line row-actions">{actions(item)}</div>}
          </div>
        ))}
      </div>
    </>
  );
}

/** The width in the styles below which the navigation is at the bottom, and rows have two lines. */
const NARROW = '(max-width: 860px)';

export const useIsNarrow = (): boolean =>
  useWatched(() => matchMedia(NARROW).matches, matchMedia(NARROW), 'change');
