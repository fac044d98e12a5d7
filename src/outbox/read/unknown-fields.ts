import type { LoadedConfig, Silence } from '../../config/compiled/config.ts';
import { iso } from '../../lib/time.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { valuesIn, readElements } from '../../template/text.ts';
import { localeOf, placeIn } from '../incidents/rules.ts';

/** That are examined. */
const MAX_INCIDENTS = 200;
const MAX_EVENTS = 50;
const MAX_ITEMS = 20;
/** A larger payload is not examined (bytes). */
const MAX_BYTES = 65_536;

/** The fields of a condition that no recent item or event has: they are probably misspelled. */
export function unknownFields(sql: SqlStorage, config: LoadedConfig | null, when: Silence['when']) {
  let looked = 0;
  let unknown: readonly string[] | null = null;
  if (when === null) return { looked, unknown: [] as readonly string[] };
  for (const scope of recentScopes(sql, config)) {
    looked += 1;
    const locale = localeOf(placeIn(config, { source: scope.event.source, route: '' }));
    const missing = new Set(
      valuesIn(when, scope, locale).flatMap(({ path, value }) => ((value ?? null) === null ? [path] : [])),
    );
    unknown = unknown === null ? [...missing] : unknown.filter((path) => missing.has(path));
    if (unknown.length === 0) break;
  }
  return { looked, unknown: unknown ?? [] };
}

/** The newest incidents and events as silences see them. */
function* recentScopes(sql: SqlStorage, config: LoadedConfig | null): Generator<Scope> {
  for (const order of ['closed_at = 0', 'closed_at > 0'])
    for (const { event, value, key } of sql.exec<{ event: string; value: string; key: string }>(
      `SELECT event, value, key FROM incidents WHERE ${order} AND stored = 1 ORDER BY closed_at DESC LIMIT ${MAX_INCIDENTS}`,
    )) {
      const at = parseOwnJson<Scope['event']>(event);
      const notification = { at: at.received_at, names: { key } };
      yield { ...EMPTY, event: at, item: parseOwnJson<unknown>(value), notification };
    }
  type Row = Omit<Scope['event'], 'received_at' | 'locale' | 'left_out'> & {
    received_at: number;
    payload: string;
  };
  for (const { payload, received_at, ...event } of sql.exec<Row>(
    `SELECT id, source, type, received_at, dedupe_key, payload FROM events
       WHERE stored = 1 AND typeof(payload) = 'text' AND octet_length(payload) <= ${MAX_BYTES} ORDER BY id DESC LIMIT ${MAX_EVENTS}`,
  )) {
    const at = { ...event, received_at: iso(received_at) };
    const scope: Scope = { ...EMPTY, event: at, payload: parseOwnJson<unknown>(payload) };
    yield scope;
    yield* itemsOf(scope, config);
  }
}

const EMPTY = { payload: undefined, headers: {}, query: {} };

/** The elements that its routes look at one by one. */
function* itemsOf(scope: Scope, config: LoadedConfig | null): Generator<Scope> {
  const { source } = placeIn(config, { source: scope.event.source, route: '' });
  for (const { each } of source?.routes ?? []) {
    const elements = each === null || source === null ? [] : readElements(each, scope, source.locale);
    for (const [at, item] of elements.slice(0, MAX_ITEMS).entries()) yield { ...scope, item, index: at + 1 };
  }
}
