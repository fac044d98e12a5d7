import { formatDuration, DAY, MINUTE } from '../../lib/time.ts';
import { EVENT_ROOTS, ROOTS } from '../../template/basics/scope.ts';
import {
  compileText,
  type CompiledText,
  compileCondition,
  type CompiledExpression,
} from '../../template/text.ts';
import type {
  Receiver,
  Route,
  Source,
  Alerting,
  GroupRule,
  IncidentRule,
  Quiet,
  Throttle,
  Send,
  EscalationStep,
  ListedReceiver,
} from '../compiled/config.ts';
import { hoursOf } from '../compiled/hours.ts';
import { compiled, compiledIf, type Report } from '../documents/issues.ts';
import { hasAlertingKey, type RouteDocument } from '../documents/schema.ts';
import type {
  GroupDocument,
  IncidentDocument,
  QuietDocument,
  ThrottleDocument,
} from '../documents/alerting-schema.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import type { MessageKind } from '../../gateway/kinds.ts';
import { compileReceivers, type ReceiverParts } from './receivers.ts';

const EXPIRES_MS = 7 * DAY;
const ACKNOWLEDGED_FOR_MS = DAY;
const WAIT_MS = 30_000;
const INTERVAL_MS = 5 * MINUTE;
const MAX_ITEMS = 20;

interface Given {
  readonly to: readonly Receiver[];
  readonly digest: Send | null;
  /** The time zone of quiet hours that name none. */
  readonly timezone: string;
}

/** Null if each item of the route makes its messages at once. */
export function compileAlerting(document: RouteDocument, given: Given, report: Report): Alerting | null {
  if (!hasAlertingKey(document) && given.to.every(isPlain)) return null;
  const { incident, acknowledged_for: acknowledgedForMs, group, throttle, quiet } = document;
  return {
    incident: incident === undefined ? null : compileIncident(incident, acknowledgedForMs, report),
    group: group === undefined ? null : compileGroup(group, report),
    throttle: compileThrottle(throttle),
    quiet: compileQuiet(quiet, given.timezone),
    digest: given.digest,
  };
}

const isPlain = (receiver: Receiver): boolean =>
  receiver.from === 'payload' || (receiver.quiet === null && receiver.throttle.length === 0);

function compileIncident(
  document: IncidentDocument,
  acknowledgedForMs = ACKNOWLEDGED_FOR_MS,
  report: Report,
): IncidentRule | null {
  const { expires = EXPIRES_MS, repeat = null, flapping } = document;
  const { resolved, at, acknowledged, unacknowledged, by, inhibited_by: inhibitedBy } = document;
  const limit = (path: string, ms = 0): void => {
    if (ms >= expires)
      report(
        `.incident.${path}`,
        'out-of-range',
        `must be shorter than \`expires\`, ${formatDuration(expires)}`,
      );
  };
  limit('repeat', repeat ?? 0);
  limit('flapping.per', flapping?.per);
  const text = (path: string, source: string | undefined): CompiledText | null =>
    compiledIf(`.incident.${path}`, source, compileText, report);
  const condition = (path: string, source: string | undefined): CompiledExpression | null =>
    compiledIf(`.incident.${path}`, source, compileCondition, report);
  const needs = (path: string, source: string | undefined): void => {
    if (source !== undefined && acknowledged === undefined)
      report(
        `.incident.${path}`,
        'conflict',
        'requires `acknowledged`: the condition under which an item acknowledges',
      );
  };
  needs('unacknowledged', unacknowledged);
  needs('by', by);
  const key = text('key', document.key);
  const rule = {
    resolved: condition('resolved', resolved),
    at: text('at', at),
    acknowledged: condition('acknowledged', acknowledged),
    unacknowledged: condition('unacknowledged', unacknowledged),
    by: text('by', by),
    repeatMs: repeat,
    expiresMs: expires,
    acknowledgedForMs,
    inhibitedBy: text('inhibited_by', inhibitedBy),
    flapping: flapping === undefined ? null : { changes: flapping.changes, perMs: flapping.per },
  };
  if (rule.at !== null && rule.at.nodes === undefined)
    report(
      '.incident.at',
      'constant',
      'is the same for all items; use a time that the sender gives, such as "{{ item.at }}"',
    );
  return key === null ? null : { key, ...rule };
}

function compileGroup(document: GroupDocument, report: Report): GroupRule {
  const { by = [], wait = WAIT_MS, interval = INTERVAL_MS, max = MAX_ITEMS } = document;
  if (wait > interval)
    report(
      '.group.wait',
      'out-of-range',
      `must not be longer than \`interval\`, ${formatDuration(interval)}`,
    );
  const texts = by.map((text, index) => compiled(`.group.by[${index}]`, compileText(text), report));
  return { by: texts.filter((text) => text !== null), waitMs: wait, intervalMs: interval, max };
}

export const compileThrottle = (document: ThrottleDocument | undefined): readonly Throttle[] =>
  (document === undefined ? [] : [document].flat()).map(({ max, per }) => ({ max, perMs: per }));

export const compileQuiet = (document: QuietDocument | undefined, timezone?: string): Quiet | null =>
  document === undefined
    ? null
    : {
        hours: hoursOf(document, timezone),
        do: document.do ?? 'hold',
        resolved: document.resolved ?? 'hold',
      };

/** Matches names that have a value only in a notification. */
const IN_NOTIFICATIONS = new RegExp(`\\b(${ROOTS.slice(EVENT_ROOTS.length).join('|')})\\b`);

/** The names in a message that is not a notification. */
const WITH_ACTIONS: readonly string[] = [...EVENT_ROOTS, 'actions'];

export function warnOfAlerting({ alerting, send, delivery }: Route, warn: Report): void {
  const key = alerting?.incident?.key;
  if (key !== undefined && key.nodes === undefined)
    warn(
      '.incident.key',
      'constant',
      'is the same for all items, so they are one incident; use a value that differs, such as "{{ item.id }}"',
    );
  if (alerting?.quiet && delivery.priority === 'high')
    warn('.quiet', 'no-effect', 'has no effect: `priority: high` is exempt');
  if (alerting !== null) return;
  for (const { source } of send.params.flatMap(({ texts }) => texts)) {
    const plain = IN_NOTIFICATIONS.test(source) ? compileText(source, WITH_ACTIONS) : null;
    if (plain?.ok === false)
      warn(
        '',
        'template',
        `its template uses names that only notifications of incidents and groups have: ${plain.error}`,
      );
  }
}

type Place = readonly [source: string, route: string, key: string];

/** Its text is a key of the same route, a route and a key, or a source, a route and a key. */
export function inhibitorsIn(text: string, source: string, route: string): readonly Place[] {
  if (text === '') return [];
  const [first = '', second = '', ...others] = text.split('/');
  const places: Place[] = [[source, route, text]];
  if (second !== '' || others.length > 0) places.push([source, first, text.slice(first.length + 1)]);
  if (others.length > 0) places.push([first, second, others.join('/')]);
  return places;
}

/** An incident whose key and inhibitors are literal texts in the document. */
interface Literal {
  readonly path: string;
  readonly inhibitedBy: readonly string[];
}

/** Warns of incidents that inhibit each other, if their keys are literal. Of those, the older one is notified. */
export function circleWarnings(sources: ReadonlyMap<string, Source>): readonly FieldError[] {
  const literals = new Map<string, Literal>();
  for (const [id, { routes }] of sources)
    for (const [index, { name, alerting }] of routes.entries()) {
      const { key, inhibitedBy = null } = alerting?.incident ?? {};
      if (key === undefined || key.nodes !== undefined || inhibitedBy?.nodes !== undefined) continue;
      literals.set([id, name, key.source.trim()].join('/'), {
        path: `sources.${id}.routes[${index}].incident.inhibited_by`,
        inhibitedBy: inhibitorsIn(inhibitedBy?.source.trim() ?? '', id, name).map((place) => place.join('/')),
      });
    }
  return [...literals].flatMap(([name, { path }]) => {
    const circle = wayBack(literals, name);
    if (circle === null) return [];
    const message =
      circle.length === 1
        ? `names its own incident, \`${name}\`, which inhibits nothing`
        : `leads back to its own incident: ${[...circle, name].map((one) => `\`${one}\``).join(' → ')}. The first to open is notified; name an incident that depends on none of them`;
    return [fieldError(path, 'conflict', message)];
  });
}

/** The shortest chain of incidents from this one back to itself; null if there is none. */
function wayBack(literals: ReadonlyMap<string, Literal>, name: string): readonly string[] | null {
  const ways: (readonly string[])[] = [[name]];
  const seen = new Set<string>();
  for (const way of ways)
    for (const next of literals.get(way.at(-1) ?? '')?.inhibitedBy ?? []) {
      if (next === name) return way;
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  return null;
}

export function compileEscalation(
  { escalate = [], incident, acknowledged_for: acknowledgedFor }: RouteDocument,
  kind: MessageKind | undefined,
  parts: ReceiverParts,
  report: Report,
): readonly EscalationStep[] {
  const needs = 'needs `incident`: only an incident can be acknowledged';
  if (incident === undefined && escalate.length > 0) report('.escalate', 'conflict', needs);
  if (incident === undefined && acknowledgedFor !== undefined) report('.acknowledged_for', 'conflict', needs);
  return escalate.map(({ after: afterMs, to }, at) => {
    const before = escalate[at - 1]?.after ?? 0;
    if (afterMs <= before)
      report(
        `.escalate[${at}].after`,
        'out-of-range',
        `must be longer than that of the step before, ${formatDuration(before)}`,
      );
    const refuse: Report = (path, ...fault) => report(`.escalate[${at}]${path}`, ...fault);
    return { afterMs, to: compileReceivers({ to }, kind, parts, refuse).filter(isListed(refuse)) };
  });
}

const isListed =
  (report: Report) =>
  (receiver: Receiver): receiver is ListedReceiver => {
    if (receiver.from === 'document') return true;
    report(
      '.to',
      'receiver',
      'must be a number or a recipients list: there is no payload any more when a step is taken',
    );
    return false;
  };

/** If the route's lists are empty, incidents begin with the first step that has any receivers. */
export function firstReceivers(
  to: readonly Receiver[],
  escalate: readonly EscalationStep[],
): readonly Receiver[] {
  const isEmpty = to.every((receiver) => receiver.from === 'document' && receiver.numbers.length === 0);
  const first = isEmpty
    ? escalate.find((step) => step.to.some(({ numbers }) => numbers.length > 0))
    : undefined;
  return first?.to ?? to;
}

/** Everybody whom a route may notify, as its document lists them. */
export const receiversOf = ({ to, escalate }: Pick<Route, 'to' | 'escalate'>): readonly Receiver[] => [
  ...to,
  ...escalate.flatMap((step) => step.to),
];

export const namesOf = ({ to }: EscalationStep): readonly string[] =>
  to.flatMap(({ list, numbers }) => (list === null ? numbers : [list]));

export function warnOfEscalation({ to, escalate, alerting }: Route, warn: Report): void {
  const wait = alerting?.group?.waitMs ?? 0;
  const known = new Set(to.flatMap(numbersIn));
  const begins = escalate.findIndex((step) => step.to === to);
  if (begins >= 0)
    warn('.to', 'receiver', `has no receivers, so incidents begin with step ${begins + 1}: fill its lists`);
  for (const [at, step] of escalate.entries()) {
    const place = `.escalate[${at}]`;
    if (step.afterMs < wait)
      warn(
        `${place}.after`,
        'out-of-range',
        `is shorter than \`group.wait\`, ${formatDuration(wait)}: nobody is notified by then`,
      );
    const numbers = step.to.flatMap(numbersIn);
    if (numbers.length === 0)
      warn(`${place}.to`, 'receiver', 'has no receivers, so the next step is taken at once: fill its lists');
    else if (at !== begins && numbers.every((number) => known.has(number)))
      warn(`${place}.to`, 'no-effect', 'notifies nobody new: all of them are notified earlier');
    for (const number of numbers) known.add(number);
  }
}

const numbersIn = (receiver: Receiver): readonly string[] =>
  receiver.from === 'document' ? receiver.numbers : [];
