import { truncateTo } from '../../lib/text.ts';
import type { SilenceOf } from '../documents/alerting-schema.ts';

/** The number of keys that a text names, and the maximum length of each (UTF-16 units). */
const NAMED = 5;
const MAX_LENGTH = 60;

/** On one line: its place, the first of its keys, and its condition. `more`: says how many further keys there are. */
export function silencedText(
  { of, when }: { readonly of?: SilenceOf | undefined; readonly when?: string | undefined },
  more: (count: number) => string,
): string {
  const condition = when === undefined ? [] : [when];
  if (of === undefined) return condition.join('');
  const { source, type, route, group, keys = [] } = of;
  const place = [source, route, type].filter((part) => part !== undefined).join('/');
  const named = [...(group ?? []), ...keys.slice(0, NAMED)].map((text) =>
    truncateTo(text.replaceAll(/\s+/g, ' '), MAX_LENGTH),
  );
  const others = keys.length > NAMED ? [more(keys.length - NAMED)] : [];
  const things = [...(named.length === 0 ? [] : [named.join(', ')]), ...others].join(' ');
  return [things === '' ? place : `${place}: ${things}`, ...condition].join(' · ');
}
