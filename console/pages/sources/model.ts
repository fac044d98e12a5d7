import { ownValue } from '../../../src/lib/json.ts';
import type { Diagnosis, Stats, Written } from '../../api/types.ts';

export type ListedSource = Written & { readonly id: string };

/** The sources as their list shows them. Null: it could not be read, or is not known yet. */
export const rowsOf = (sources: readonly ListedSource[], stats: Stats | null, missing: ReadonlySet<string>) =>
  sources.map((source) => {
    const counted = stats?.sources[source.id];
    return {
      id: source.id,
      provider: textAt(source, 'provider') ?? 'generic',
      events: sumOf(counted?.events),
      rejected: sumOf(counted?.rejections),
      lastAt: counted?.last_event_at ?? null,
      /** The `heartbeat` that is overdue. */
      overdue: counted?.heartbeat?.overdue === true ? counted.heartbeat.expected : null,
      missing: secretNames(source).filter((name) => missing.has(name)),
    };
  });

export type SourceRow = ReturnType<typeof rowsOf>[number];

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
  const text = ownValue(value, key);
  return typeof text === 'string' ? text : null;
};

/** The other keys that change what a route does. */
const ALSO = ['each', 'once', 'incident', 'group', 'throttle', 'quiet', 'delay', 'expires', 'stop', 'digest'];

export function routesOf(source: Written) {
  const routes = source['routes'];
  if (!Array.isArray(routes)) return [];
  return routes.map((route: unknown) => ({
    name: textAt(route, 'name') ?? '',
    when: textAt(route, 'when'),
    to: [ownValue(route, 'to') ?? []].flat().map(String),
    template: textAt(route, 'template') ?? textAt(route, 'template.default'),
    /** Of the route's own message. Null if it has a template. */
    kind: textAt(route, 'send.kind'),
    also: ALSO.filter((key) => ownValue(route, key) !== undefined),
  }));
}

export type RouteFacts = ReturnType<typeof routesOf>[number];
