import type { Silenceable } from '../../config/compiled/silenced.ts';
import { iso } from '../../lib/time.ts';
import type { NotificationElement } from '../../render/notification-scope.ts';
import type { Scope } from '../../template/basics/scope.ts';
import type { Entry, IncidentRef } from './entries.ts';
import { readContent } from './store.ts';
import { spanOf } from './told.ts';

/** An incident as silences see it. */
export const silenceable = (
  sql: SqlStorage,
  { ref, grouping: { grouped } }: Pick<Entry, 'ref' | 'grouping'>,
): Silenceable => ({ ...ref, grouped, scope: silenceScope(sql, ref) });

/**
 * Returns the scope of a silence's condition for an incident: its key, its newest item and that item's event. The row,
 * which may be large, is read when a condition needs it.
 */
function silenceScope(sql: SqlStorage, ref: IncidentRef): Scope {
  let content: ReturnType<typeof readContent> | null = null;
  const read = () => (content ??= readContent(sql, ref));
  return {
    payload: undefined,
    get event() {
      return read().event;
    },
    headers: {},
    query: {},
    get item() {
      return read().value;
    },
    get notification() {
      return { at: read().event.received_at, names: { key: ref.key } };
    },
  };
}

/**
 * The maximum number of rows that stay in memory for templates that name them again: a thousand rows may be larger than
 * the object’s memory.
 */
const MAX_KEPT = 32;

type Elements = (entries: readonly Entry[]) => readonly NotificationElement[];

/**
 * Returns the incidents as templates see them at a time (ms). A row may be large, so it is read only when a template
 * names something in it.
 */
export function elementsFrom(sql: SqlStorage, now: number): Elements {
  const known = new Map<Entry, NotificationElement>();
  const kept = new Map<IncidentRef, ReturnType<typeof readContent>>();
  const read = (ref: IncidentRef): ReturnType<typeof readContent> => {
    const content = kept.get(ref) ?? readContent(sql, ref);
    if (kept.size === MAX_KEPT) kept.clear();
    kept.set(ref, content);
    return content;
  };
  const element = ({ ref, incident }: Entry): NotificationElement => {
    const { occurrences, isLone, flapping, changes } = incident;
    const { from, to } = spanOf(incident);
    return {
      get item() {
        return read(ref).value;
      },
      get event() {
        return read(ref).event;
      },
      started_at: iso(from),
      resolved_at: to === null ? null : iso(to),
      duration_ms: Math.max(0, (to ?? now) - from),
      occurrences,
      key: isLone ? null : ref.key,
      flapping: flapping !== 'no',
      changes: changes.length,
    };
  };
  return (entries) =>
    entries.map((entry) => {
      const seen = known.get(entry) ?? element(entry);
      known.set(entry, seen);
      return seen;
    });
}
