import { timingSafeEqual } from 'node:crypto';

/** What Node 20 lacks of ES2024 and URLs, and any Node of a Worker's crypto. Imported before all else. */
const lacking: readonly (readonly [object, string, unknown])[] = [
  [URL, 'parse', (text: string, base?: string) => (URL.canParse(text, base) ? new URL(text, base) : null)],
  [Promise, 'withResolvers', withResolvers],
  [Map, 'groupBy', groupBy],
  [crypto.subtle, 'timingSafeEqual', timingSafeEqual],
];

for (const [target, name, value] of lacking)
  if (!Object.hasOwn(target, name))
    Object.defineProperty(target, name, { value, configurable: true, writable: true });

function withResolvers(this: PromiseConstructor): object {
  let resolve: unknown;
  let reject: unknown;
  // oxlint-disable-next-line promise/avoid-new, promise/param-names -- the older way
  const promise = new this((...both: unknown[]) => {
    [resolve, reject] = both;
  });
  return { promise, resolve, reject };
}

function groupBy(
  items: Iterable<unknown>,
  keyOf: (item: unknown, index: number) => unknown,
): Map<unknown, unknown[]> {
  const groups = new Map<unknown, unknown[]>();
  for (const [index, item] of [...items].entries()) {
    const key = keyOf(item, index);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(item);
  }
  return groups;
}
