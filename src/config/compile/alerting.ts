import { formatDuration } from '../../lib/time.ts';
import { EVENT_ROOTS, ROOTS } from '../../template/basics/scope.ts';
import { compileText } from '../../template/text.ts';
import type { Receiver, Route, Source, EscalationStep } from '../compiled/config.ts';
import type { Report } from '../documents/issues.ts';
import type { RouteDocument } from '../documents/schema.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import type { MessageKind } from '../../gateway/kinds.ts';
import { compileReceivers, type ReceiverParts } from './receivers.ts';

const SAYS = {
  sameKey:
    'is the same for all items, so they are one incident; use a value that differs, such as "{{ item.id }}"',
  urgent: 'has no effect: `priority: high` is exempt',
  incident: 'needs `incident`: only an incident can be acknowledged',
  noPayload: 'must be a number or a recipients list: there is no payload any more when a step is taken',
  emptyStep: 'has no receivers, so the next step is taken at once: fill its lists',
  nobodyNew: 'notifies nobody new: all of them are notified earlier',
};

/** Matches names that have a value only in a notification. */
const IN_NOTIFICATIONS = new RegExp(`\\b(${ROOTS.slice(EVENT_ROOTS.length).join('|')})\\b`);

/** The names in a message that is not a notification. */
const WITH_ACTIONS: readonly string[] = [...EVENT_ROOTS, 'actions'];

export function warnOfAlerting({ alerting, send, delivery }: Route, warn: Report): void {
  const key = alerting?.incident?.key;
  if (key !== undefined && key.nodes === undefined) warn('.incident.key', 'constant', SAYS.sameKey);
  if (alerting?.quiet && delivery.priority === 'high') warn('.quiet', 'no-effect', SAYS.urgent);
  if (alerting !== null) return;
  for (const { source } of send.params.flatMap(({ texts }) => texts)) {
    const plain = IN_NOTIFICATIONS.test(source) ? compileText(source, WITH_ACTIONS) : null;
    if (plain?.ok !== false) continue;
    const only = 'its template uses names that only notifications of incidents and groups have';
    warn('', 'template', `${only}: ${plain.error}`);
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
  if (incident === undefined && escalate.length > 0) report('.escalate', 'conflict', SAYS.incident);
  if (incident === undefined && acknowledgedFor !== undefined)
    report('.acknowledged_for', 'conflict', SAYS.incident);
  return escalate.map(({ after: afterMs, to }, at) => {
    const refuse: Report = (path, ...fault) => report(`.escalate[${at}]${path}`, ...fault);
    const before = escalate[at - 1]?.after ?? 0;
    const tooShort = `must be longer than that of the step before, ${formatDuration(before)}`;
    if (afterMs <= before) refuse('.after', 'out-of-range', tooShort);
    const receivers = compileReceivers({ to }, kind, parts, refuse);
    for (const { from } of receivers) if (from === 'payload') refuse('.to', 'receiver', SAYS.noPayload);
    return { afterMs, to: receivers.filter((receiver) => receiver.from === 'document') };
  });
}

/** If the route's lists are empty, incidents begin with the first step that has any receivers. */
export function firstReceivers(to: readonly Receiver[], escalate: readonly EscalationStep[]) {
  const isEmpty = to.every((receiver) => receiver.from === 'document' && receiver.numbers.length === 0);
  const first = escalate.find((step) => step.to.some(({ numbers }) => numbers.length > 0));
  return isEmpty && first !== undefined ? first.to : to;
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
    const early = `is shorter than \`group.wait\`, ${formatDuration(wait)}: nobody is notified by then`;
    if (step.afterMs < wait) warn(`${place}.after`, 'out-of-range', early);
    const numbers = step.to.flatMap(numbersIn);
    if (numbers.length === 0) warn(`${place}.to`, 'receiver', SAYS.emptyStep);
    else if (at !== begins && numbers.every((number) => known.has(number)))
      warn(`${place}.to`, 'no-effect', SAYS.nobodyNew);
    for (const number of numbers) known.add(number);
  }
}

const numbersIn = (receiver: Receiver) => (receiver.from === 'document' ? receiver.numbers : []);
