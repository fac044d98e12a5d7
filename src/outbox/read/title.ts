import { subjectOf } from '../../config/subjects.ts';
import { ownValue } from '../../lib/own-path.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { lineOf } from '../../template/line.ts';
import { compileText, type CompiledText } from '../../template/text.ts';
import { localeOf, type placeIn } from '../incidents/rules.ts';

/** The name of an alert, in the fields that senders use. */
const USUAL =
  '{{ item.labels.alertname | default: item.alertname | default: item.annotations.summary | default: item.title | default: item.name | default: item.summary | default: item.message }} {{ item.labels.instance }}';

let usual: CompiledText | null = null;

/** Compiled when it is needed first: an isolate that shows no list does not pay for it. */
function usualTitle(): CompiledText | null {
  if (usual === null) {
    const compiled = compileText(USUAL);
    usual = compiled.ok ? compiled.value : null;
  }
  return usual;
}

/** Where senders say how bad it is, as paths in an item. */
const SEVERITY = ['labels.severity', 'severity', 'commonLabels.severity', 'priority', 'level'];

/** The same for SQLite. */
export const SEVERITY_SQL = (column: string): string =>
  `lower(coalesce(${SEVERITY.map((path) => `${column} ->> '$.${path}'`).join(', ')}))`;

/** The words for what cannot wait. */
export const CRITICAL: readonly string[] = [
  'critical',
  'crit',
  'page',
  'emergency',
  'fatal',
  'disaster',
  'urgent',
  'p1',
  'sev1',
];

/** UTF-16 units of a word that says how bad it is. */
const MAX_SEVERITY = 24;

/** The severity that an item states, in lower case; null: none. */
export function severityOf(item: unknown): string | null {
  for (const path of SEVERITY) {
    const value = ownValue(item, path);
    if (typeof value === 'string' && value !== '')
      return value.toLowerCase().slice(0, MAX_SEVERITY).toWellFormed();
  }
  return null;
}

/**
 * The line by which lists show an incident: its source's `subject`, where that is about one item; else what alerts are usually called by.
 * Null: its item has neither.
 */
export function titleOf(
  { source, route }: ReturnType<typeof placeIn>,
  value: unknown,
  event: Scope['event'],
): string | null {
  const locale = localeOf({ source });
  const isWhole = route !== null && route.each === null;
  const scope: Scope = {
    payload: isWhole ? value : undefined,
    event,
    headers: {},
    query: {},
    item: value,
  };
  const own = source === null ? null : subjectOf(source);
  if (own !== null && (isWhole || /\bitem\b/.test(own.source))) {
    const line = lineOf(own, scope, locale);
    if (line !== null) return line;
  }
  const text = usualTitle();
  return text === null ? null : lineOf(text, scope, locale);
}
