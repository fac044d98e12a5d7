import type { Diagnosis, Stats, Written } from '../../api/types.ts';

/** A source as its list shows it. Null: it could not be read, or is not known yet. */
export interface SourceRow {
  readonly id: string;
  readonly provider: string;
  readonly events: number | null;
  readonly rejected: number | null;
  readonly lastAt: string | null;
  /** The `heartbeat` that is overdue. */
  readonly overdue: string | null;
  readonly missing: readonly string[];
}

export type ListedSource = Written & { readonly id: string };

export function rowsOf(
  sources: readonly ListedSource[],
  stats: Stats | null,
  missing: ReadonlySet<string>,
): readonly SourceRow[] {
  return sources.map((source) => {
    const counted = stats?.sources[source.id];
    return {
      id: source.id,
      provider: textAt(source, 'provider') ?? 'generic',
      events: sumOf(counted?.events),
      rejected: sumOf(counted?.rejections),
      lastAt: counted?.last_event_at ?? null,
      overdue: counted?.heartbeat?.overdue === true ? counted.heartbeat.expected : null,
      missing: secretNames(source).filter((name) => missing.has(name)),
    };
  });
}

const sumOf = (counts: Readonly<Record<string, number>> | null | undefined): number | null =>
  counts === null || counts === undefined ? null : Object.values(counts).reduce((sum, one) => sum + one, 0);

/** True if all words of a search are in a text, whatever their case. */
export const hasWords = (search: string, ...texts: readonly string[]): boolean => {
  const text = texts.join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

export const missingSecrets = ({ checks }: Diagnosis): ReadonlySet<string> =>
  new Set(
    checks
      .filter(({ id, status }) => status === 'fail' && id.startsWith('secret:'))
      .map(({ id }) => id.slice('secret:'.length)),
  );

export function secretNames(source: Written): readonly string[] {
  const names = source['secrets'];
  const handshake = textAt(source['handshake'], 'secret');
  return [...(Array.isArray(names) ? names.map(String) : []), ...(handshake === null ? [] : [handshake])];
}

export const textAt = (value: unknown, key: string): string | null => {
  const text: unknown =
    typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : null;
  return typeof text === 'string' ? text : null;
};

export interface RouteFacts {
  readonly name: string;
  readonly when: string | null;
  readonly to: readonly string[];
  readonly template: string | null;
  /** The kind of the route's own message. Null if it has a template. */
  readonly kind: string | null;
  /** The other keys that change what it does. */
  readonly also: readonly string[];
}

const ALSO = ['each', 'once', 'incident', 'group', 'throttle', 'quiet', 'delay', 'expires', 'stop', 'digest'];

export function routesOf(source: Written): readonly RouteFacts[] {
  const routes = source['routes'];
  if (!Array.isArray(routes)) return [];
  return routes.map((route: unknown) => ({
    name: textAt(route, 'name') ?? '',
    when: textAt(route, 'when'),
    to: receiversOf(route),
    template: textAt(route, 'template') ?? textAt(valueAt(route, 'template'), 'default'),
    kind: textAt(valueAt(route, 'send'), 'kind'),
    also: ALSO.filter((key) => valueAt(route, key) !== undefined),
  }));
}

const receiversOf = (route: unknown): readonly string[] =>
  [valueAt(route, 'to') ?? []].flat().map((to: unknown) => String(to));

const valueAt = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
