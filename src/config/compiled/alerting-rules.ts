import { DAY, formatDuration, MINUTE } from '../../lib/time.ts';
import {
  compileCondition,
  compileText,
  type CompiledExpression,
  type CompiledText,
} from '../../template/text.ts';
import type { RecipientsDocument } from '../documents/alerting-schema.ts';
import { compiled, compiledIf, type Report } from '../documents/issues.ts';
import type { RouteDocument } from '../documents/schema.ts';
import { hoursOf } from './hours.ts';

export type Throttle = Readonly<ReturnType<typeof compileThrottle>[number]>;

export const compileThrottle = (document: RecipientsDocument['throttle']) =>
  [document ?? []].flat().map(({ max, per }) => ({ max, perMs: per }));

/** Hours in which receivers get no notifications of normal priority. These are held, or summarized in a digest. */
export type Quiet = Readonly<NonNullable<ReturnType<typeof compileQuiet>>>;

/** `timezone`: that of hours that name none. `resolved`: `hold` if resolutions also wait for the end of the hours. */
export function compileQuiet(document: RecipientsDocument['quiet'], timezone?: string) {
  if (document === undefined) return null;
  const { do: how = 'hold', resolved = 'hold' } = document;
  return { hours: hoursOf(document, timezone), do: how, resolved };
}

const NO_CONDITION = 'requires `acknowledged`: the condition under which an item acknowledges';
const SAME_TIME = 'is the same for all items; use a time that the sender gives, such as "{{ item.at }}"';

/** The rules that make items one problem over time. Times in ms. */
export type IncidentRule = NonNullable<ReturnType<typeof compileIncident>>;

export function compileIncident({ incident: document, ...route }: RouteDocument, report: Report) {
  if (document === undefined) return null;
  const { expires: expiresMs = 7 * DAY, repeat: repeatMs = null, flapping } = document;
  const refuse: Report = (path, ...fault) => report(`.incident.${path}`, ...fault);
  const tooLong = `must be shorter than \`expires\`, ${formatDuration(expiresMs)}`;
  if ((repeatMs ?? 0) >= expiresMs) refuse('repeat', 'out-of-range', tooLong);
  if ((flapping?.per ?? 0) >= expiresMs) refuse('flapping.per', 'out-of-range', tooLong);
  for (const key of ['unacknowledged', 'by'] as const)
    if (document[key] !== undefined && document.acknowledged === undefined)
      refuse(key, 'conflict', NO_CONDITION);
  const text = (name: 'key' | 'at' | 'by' | 'inhibited_by'): CompiledText | null =>
    compiledIf(name, document[name], compileText, refuse);
  const condition = (name: 'resolved' | 'acknowledged' | 'unacknowledged'): CompiledExpression | null =>
    compiledIf(name, document[name], compileCondition, refuse);
  const key = text('key');
  const rule = {
    /** The condition under which an item resolves the incident; null if only `expires` and people do. */
    resolved: condition('resolved'),
    /** The time, by the sender's clock, since when an item is true; null if the time of its arrival counts. */
    at: text('at'),
    /** The condition under which an item acknowledges the incident; null if only people do. */
    acknowledged: condition('acknowledged'),
    unacknowledged: condition('unacknowledged'),
    /** The person who acknowledged it; null if the sender does not say. */
    by: text('by'),
    repeatMs,
    /** The time without an item after which it is closed. */
    expiresMs,
    /** The time after which an acknowledgement ends. The incident is then as before. */
    acknowledgedForMs: route.acknowledged_for ?? DAY,
    /** The incident whose opening inhibits this one: `key`, `route/key` or `source/route/key`; null if there is none. */
    inhibitedBy: text('inhibited_by'),
    flapping: flapping === undefined ? null : { changes: flapping.changes, perMs: flapping.per },
  };
  if (rule.at !== null && rule.at.nodes === undefined) refuse('at', 'constant', SAME_TIME);
  return key === null ? null : { key, ...rule };
}

/** Items with the same values of `by` are in one group; a template sees `max` of them. */
export type GroupRule = NonNullable<ReturnType<typeof compileGroup>>;

export function compileGroup({ group }: RouteDocument, report: Report) {
  if (group === undefined) return null;
  const { by = [], wait: waitMs = 30_000, interval: intervalMs = 5 * MINUTE, max = 20 } = group;
  const tooLong = `must not be longer than \`interval\`, ${formatDuration(intervalMs)}`;
  if (waitMs > intervalMs) report('.group.wait', 'out-of-range', tooLong);
  const texts: readonly CompiledText[] = by.flatMap(
    (text, index) => compiled(`.group.by[${index}]`, compileText(text), report) ?? [],
  );
  return { by: texts, waitMs, intervalMs, max };
}
