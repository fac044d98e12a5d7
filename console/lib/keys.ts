import { useEffect, useRef } from 'preact/hooks';
import { t } from '../texts/texts.ts';

/** A key of a page: `key` as `KeyboardEvent.key` has it, or two in a row such as `g e`. */
type Shortcut = { readonly key: string; readonly label: string; readonly run: () => void };

/** Pages put theirs on top of those of the frame around them. */
const layers: { current: readonly Shortcut[] }[] = [];

export const shortcuts = (): readonly Shortcut[] => layers.toReversed().flatMap(({ current }) => current);

const PAIR_MS = 1_000;

export function useKeys(keys: readonly Shortcut[]): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    layers.push(current);
    return () => void layers.splice(layers.indexOf(current), 1);
  }, []);
}

let first = '';
let firstAt = 0;

export function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return;
  const pair = `${event.timeStamp - firstAt < PAIR_MS ? first : ''} ${event.key}`.trim();
  const found =
    shortcuts().find(({ key }) => key === pair) ?? shortcuts().find(({ key }) => key === event.key);
  first = event.key;
  firstAt = event.timeStamp;
  if (found === undefined) return;
  event.preventDefault();
  first = '';
  found.run();
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  (target.closest('input, textarea, select, [contenteditable], .cm-editor') !== null ||
    target.shadowRoot !== null);

/** `j` and `k` move between the links that `selector` finds: from the one with the focus, else to the first in sight. */
export function useRowKeys(selector: string): void {
  const move = (by: number): void => {
    const links = [...document.querySelectorAll<HTMLElement>(selector)];
    const at = links.findIndex((link) => link === document.activeElement);
    const first = links.findIndex((link) => link.getBoundingClientRect().top >= 0);
    const next = links[Math.min(links.length - 1, Math.max(0, at < 0 ? first : at + by))];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useKeys([
    { key: 'j', label: t.keys.next, run: () => move(1) },
    { key: 'k', label: t.keys.previous, run: () => move(-1) },
  ]);
}
