import { MESSAGE_KINDS, type MessageKind } from '../../gateway/kinds.ts';
import type { ListedOverride } from '../compiled/rotation.ts';
import { formatDuration } from '../../lib/time.ts';
import { MESSAGE_ROOTS } from '../../template/basics/scope.ts';
import { compileText, compileCondition, compilePath } from '../../template/text.ts';
import type { SetDocuments } from '../documents/check.ts';
import { compileVisitor } from './visitor.ts';
import { actionsIn, compileActions } from './actions.ts';
import { compileEscalation, firstReceivers } from './alerting.ts';
import { compiled, compiledIf, type Report } from '../documents/issues.ts';
import { compileElsewhere, compileReceivers, type GatewayOf, type ReceiverParts } from './receivers.ts';
import { compileGroup, compileIncident, compileQuiet, compileThrottle } from '../compiled/alerting-rules.ts';
import {
  type Alerting,
  type FallbackSend,
  inAllLanguages,
  type Receiver,
  type Route,
  type Send,
  type SendParam,
  stepsOf,
} from '../compiled/config.ts';
import type { FormRules } from '../compiled/form-rules.ts';
import { gatewayName, lacksStatus } from '../compiled/gateway-spec.ts';
import { hasAlertingKey, type RouteDocument, type TemplateDocument } from '../documents/schema.ts';
import { noSuch } from '../documents/unknown-name.ts';

/** The gateway documents no limit; the strictest chat client's is 4,096 UTF-16 units. */
const DEFAULT_MAX_LENGTH = 4_096;

const SAYS = {
  digestKind: 'must be a `status` if, and only if, the route sends one',
  fallbackKind: 'must be a `status` if, and only if, the template is one',
  noReceiver: 'has no use: a status has no receiver who could press',
  noLinks: 'has no use: a message to a visitor must not have a link',
  oneText: 'needs exactly one of `template` (a name) and `send` (an inline template)',
  noSooner: 'needs another `account`: this one would not send it any sooner',
};

export interface SourceParts {
  readonly documents: Pick<SetDocuments, 'templates' | 'recipients' | 'providers'>;
  readonly overrides: readonly ListedOverride[];
  readonly gatewayOf: GatewayOf;
  /** A template, parsed once for all its routes; null if there is no template with that name, or it has errors. */
  readonly template: (name: string) => Send | null;
}

export interface RouteParts extends SourceParts, Omit<ReceiverParts, 'documents'> {
  readonly timezone: string;
  readonly form: FormRules | null;
}

/** Null if there is nothing to send. After any error that was reported, the source counts as wrong as a whole. */
export function compileRoute(document: RouteDocument, parts: RouteParts, report: Report): Route | null {
  const when = compiledIf('.when', document.when, compileCondition, report);
  const each = compiledIf('.each', document.each, compilePath, report);
  const once = compiledIf('.once', document.once, compileText, report);
  const send = compileSend(document, parts, report);
  const kind = sendKind(document, parts);
  const to = compileReceivers(document, kind, parts, report);
  const { account, spec } = parts.gateway;
  const cannot = `sends a status, but ${gatewayName(spec)} (account \`${account}\`) cannot`;
  if (kind === 'status' && lacksStatus(spec)) report('', 'unsupported', cannot);
  const digest =
    document.digest === undefined ? null : compileNamed('.digest', document.digest, parts, report);
  if (send !== null && digest !== null && !goTogether(digest.kind, send.kind))
    report('.digest', 'conflict', SAYS.digestKind);
  const sends = [send, digest].flatMap((one) => (one ? inAllLanguages(one) : []));
  const elsewhere = compileElsewhere(document, sends, parts, report);
  const alerting: Alerting | null =
    !hasAlertingKey(document) && to.every(isPlain)
      ? null
      : {
          incident: compileIncident(document, report),
          group: compileGroup(document, report),
          throttle: compileThrottle(document.throttle),
          quiet: compileQuiet(document.quiet, parts.timezone),
          digest,
        };
  const escalate = compileEscalation(document, kind, parts, report);
  const visitor = compileVisitor(document, { to, send, alerting }, parts.form, report);
  const actions = compileActions(document, [send, digest], report);
  if (actions.length > 0 && (visitor !== null || kind === 'status'))
    report('.actions', 'conflict', visitor === null ? SAYS.noReceiver : SAYS.noLinks);
  const { delay = 0, expires = null } = document;
  // It counts from the event.
  const never = `must be longer than \`delay\`, ${formatDuration(delay)}: nothing would be sent`;
  if (expires !== null && expires <= delay) report('.expires', 'out-of-range', never);
  if (send === null) return null;
  return {
    name: document.name,
    when,
    each,
    once,
    to: firstReceivers(to, escalate),
    elsewhere,
    send,
    alerting,
    escalate,
    actions,
    stop: document.stop ?? false,
    isTransactional: document.transactional ?? false,
    visitor,
    delivery: {
      delayMs: delay,
      expiresMs: expires,
      onUncertain: document.on_uncertain ?? 'retry',
      priority: document.priority ?? 'normal',
    },
    maxLength: document.max_length ?? DEFAULT_MAX_LENGTH,
    overflow: document.overflow ?? 'truncate',
  };
}

const isPlain = (receiver: Receiver): boolean =>
  receiver.from === 'payload' || (receiver.quiet === null && receiver.throttle.length === 0);

function compileSend(document: RouteDocument, parts: SourceParts, report: Report): Send | null {
  const { template: name, send } = document;
  if ((name === undefined) === (send === undefined)) report('', 'conflict', SAYS.oneText);
  else if (send !== undefined) return compileNamed('.send', send, parts, report);
  if (name === undefined || send !== undefined) return null;
  if (typeof name === 'string') return compileNamed('.template', name, parts, report);
  const [first, ...others] = Object.entries(name)
    // The default, and then the more special tags first, as they are looked for.
    .toSorted(([a], [b]) => Number(b === 'default') - Number(a === 'default') || b.length - a.length)
    .map(([tag, one]) => ({ tag, one, send: compileNamed(`.template.${tag}`, one, parts, report) }));
  if (!first?.send) return null;
  const outline = outlineOf(first.send);
  const languages = others.flatMap(({ tag, one, send }): [string, Send][] => {
    const own = send === null ? outline : outlineOf(send);
    if (own !== outline)
      report(`.template.${tag}`, 'conflict', `\`${one}\` has ${own}, but \`${first.one}\` has ${outline}`);
    return send === null ? [] : [[Intl.getCanonicalLocales(tag)[0] ?? tag, send]];
  });
  return { ...first.send, languages };
}

/** What a template must have in every language: its fields and links. */
function outlineOf(send: Send): string {
  const fields = stepsOf(send).map(({ kind, params }) => {
    const names = params.map(({ name }) => name).toSorted();
    return `${kind}: ${names.join(', ')}`;
  });
  const links = new Set(actionsIn(send).toSorted());
  return [...fields, ...[...links].map((id) => `actions.${id}`)].join('; ');
}

function compileNamed(path: string, given: string | TemplateDocument, parts: SourceParts, report: Report) {
  const { templates } = parts.documents;
  if (typeof given !== 'string')
    return compileTemplate(given, (inner, ...fault) => report(path + inner, ...fault));
  // A template reports its own errors.
  if (!templates.has(given)) report(path, ...noSuch('template', given, templates.names));
  return parts.template(given);
}

export function compileTemplate(template: TemplateDocument, report: Report): Send | null {
  const { kind, fallback: documents = [], ...values } = template;
  let wrong = false;
  const refuse: Report = (path, ...fault) => {
    wrong = true;
    report(path, ...fault);
  };
  const params = compileParams(kind, values, refuse);
  const fallback = documents.map((document, at): FallbackSend => {
    const { kind: other, account = null, after: afterMs = null, ...texts } = document;
    const here: Report = (path, ...fault) => refuse(`.fallback[${at}]${path}`, ...fault);
    const step = { kind: other, params: compileParams(other, texts, here), account, afterMs };
    if (!goTogether(other, kind)) here('.kind', 'conflict', SAYS.fallbackKind);
    if (afterMs !== null && account === null) here('.after', 'conflict', SAYS.noSooner);
    return step;
  });
  return wrong ? null : { kind, params, fallback };
}

function compileParams(
  kind: MessageKind,
  values: Readonly<Record<string, string | readonly string[] | undefined>>,
  report: Report,
): readonly SendParam[] {
  const { params: parameters } = MESSAGE_KINDS[kind];
  return Object.entries(values).flatMap(([name, value]): SendParam[] => {
    const parameter = parameters[name];
    if (value === undefined || parameter === undefined) return [];
    const texts = [value].flat().flatMap((source, index) => {
      const path = `.${name}${typeof value === 'string' ? '' : `[${index}]`}`;
      return compiled(path, compileText(source, MESSAGE_ROOTS), report) ?? [];
    });
    return [{ name, ...parameter, texts }];
  });
}

/** True if both kinds go to the same receivers, or neither has a receiver. */
const goTogether = (one: MessageKind, other: MessageKind): boolean =>
  MESSAGE_KINDS[one].hasReceiver === MESSAGE_KINDS[other].hasReceiver;

/** The kind, even if the template has errors: otherwise a status would be reported as lacking a receiver. */
function sendKind({ send, template }: RouteDocument, { documents: { templates } }: SourceParts) {
  const name = typeof template === 'object' ? template['default'] : template;
  return send?.kind ?? templates.get(name ?? '')?.kind;
}
