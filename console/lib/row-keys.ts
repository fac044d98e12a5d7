import { t } from '../texts/texts.ts';
import { useKeys } from './keys.ts';

/** `j` and `k` move between the links that `selector` finds, in a list that is drawn as a whole. */
export function useRowKeys(selector: string): void {
  const move = (by: number): void => {
    const links = [...document.querySelectorAll<HTMLElement>(selector)];
    const at = links.findIndex((link) => link === document.activeElement);
    const next = links[Math.min(links.length - 1, Math.max(0, at < 0 ? 0 : at + by))];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useKeys([
    { key: 'j', label: t.keys.next, run: () => move(1) },
    { key: 'k', label: t.keys.previous, run: () => move(-1) },
  ]);
}
