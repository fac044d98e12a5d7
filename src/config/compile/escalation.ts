import type { MessageKind } from '../../gateway/kinds.ts';
import { formatDuration } from '../../lib/time.ts';
import { compileReceivers, type ReceiverParts } from './receivers.ts';
import type { EscalationStep, ListedReceiver, Receiver, Route } from '../compiled/config.ts';
import type { Report } from '../documents/issues.ts';
import type { RouteDocument } from '../documents/schema.ts';

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
