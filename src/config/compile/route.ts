import { MESSAGE_KINDS, type MessageKind } from '../../gateway/kinds.ts';
import type { ListedOverride } from '../compiled/rotation.ts';
import type { GatewaySpec } from '../../gateway/shape.ts';
import { formatDuration } from '../../lib/time.ts';
import { MESSAGE_ROOTS } from '../../template/basics/scope.ts';
import { compileText, compileCondition, compilePath } from '../../template/text.ts';
import type { SetDocuments } from '../documents/check.ts';
import { compileVisitor } from './form.ts';
import { actionsIn, compileActions } from './actions.ts';
import { compileAlerting, compileEscalation, firstReceivers } from './alerting.ts';
import { compiledIf, type Report } from '../documents/issues.ts';
import { compileReceivers, type ReceiverParts, compileElsewhere } from './receivers.ts';
import { type Route, stepsOf, type FallbackSend, type Send, type SendParam } from '../compiled/config.ts';
import type { FormRules } from '../compiled/form-rules.ts';
import { gatewayName, lacksStatus } from '../compiled/gateway-spec.ts';
import type { FallbackDocument, RouteDocument, TemplateDocument } from '../documents/schema.ts';
import { noSuch } from '../documents/unknown-name.ts';

/** The gateway documents no limit; the strictest chat client's is 4,096 UTF-16 units. */
const DEFAULT_MAX_LENGTH = 4_096;

export interface SourceParts {
  readonly documents: Pick<SetDocuments, 'templates' | 'recipients' | 'providers'>;
  readonly overrides?: readonly ListedOverride[] | undefined;
  readonly gatewayOf: (account: string) => GatewaySpec;
  /** A template, parsed once for all its routes; null if there is no template with that name, or it has errors. */
  readonly template: (name: string) => Send | null;
}

export interface RouteParts extends SourceParts, Omit<ReceiverParts, 'documents'> {
  readonly timezone: string;
  readonly form: FormRules | null;
}

export function compileRoute(document: RouteDocument, parts: RouteParts, report: Report): Route | null {
  let wrong = false;
  const refuse: Report = (path, ...fault) => {
    wrong = true;
    report(path, ...fault);
  };
  const when = compiledIf('.when', document.when, compileCondition, refuse);
  const each = compiledIf('.each', document.each, compilePath, refuse);
  const once = compiledIf('.once', document.once, compileText, refuse);
  const send = compileSend(document, parts, refuse);
  const kind = sendKind(document, parts);
  const to = compileReceivers(document, kind, parts, refuse);
  if (kind === 'status' && lacksStatus(parts.gateway.spec))
    refuse(
      '',
      'unsupported',
      `sends a status, but ${gatewayName(parts.gateway.spec)} (account \`${parts.gateway.account}\`) cannot`,
    );
  const digest =
    document.digest === undefined ? null : compileNamed('.digest', document.digest, parts, refuse);
  if (send !== null && digest !== null && !goTogether(digest.kind, send.kind))
    refuse('.digest', 'conflict', 'must be a `status` if, and only if, the route sends one');
  const sends = [send, digest].flatMap((one) =>
    one ? [one, ...(one.languages ?? []).map(([, own]) => own)] : [],
  );
  const elsewhere = compileElsewhere(document, sends, parts, refuse);
  const alerting = compileAlerting(document, { to, digest, timezone: parts.timezone }, refuse);
  const escalate = compileEscalation(document, kind, parts, refuse);
  const visitor = compileVisitor(document, { to, send, alerting }, parts.form, refuse);
  const actions = compileActions(document, [send, digest], refuse);
  if (actions.length > 0 && (visitor !== null || kind === 'status'))
    refuse('.actions', 'conflict', visitor === null ? NO_RECEIVER : NO_LINKS);
  checkExpiry(document, refuse);
  if (wrong || send === null) return null;
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
      delayMs: document.delay ?? 0,
      expiresMs: document.expires ?? null,
      onUncertain: document.on_uncertain ?? 'retry',
      priority: document.priority ?? 'normal',
    },
    maxLength: document.max_length ?? DEFAULT_MAX_LENGTH,
    overflow: document.overflow ?? 'truncate',
  };
}

const NO_RECEIVER = 'has no use: a status has no receiver who could press';
const NO_LINKS = 'has no use: a message to a visitor must not have a link';

/** `expires` counts from the event. A message that has to wait longer than that would never be sent. */
function checkExpiry({ delay = 0, expires }: RouteDocument, report: Report): void {
  if (expires === undefined || expires > delay) return;
  report(
    '.expires',
    'out-of-range',
    `must be longer than \`delay\`, ${formatDuration(delay)}: nothing would be sent`,
  );
}

function compileSend(document: RouteDocument, parts: SourceParts, report: Report): Send | null {
  const { template: name, send } = document;
  if ((name === undefined) === (send === undefined)) {
    report('', 'conflict', 'needs exactly one of `template` (a name) and `send` (an inline template)');
    return null;
  }
  if (send !== undefined) return compileNamed('.send', send, parts, report);
  if (name === undefined) return null;
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
const outlineOf = (send: Send): string =>
  [
    ...stepsOf(send).map(
      ({ kind, params }) =>
        `${kind}: ${params
          .map(({ name }) => name)
          .toSorted()
          .join(', ')}`,
    ),
    ...new Set(
      actionsIn(send)
        .toSorted()
        .map((id) => `actions.${id}`),
    ),
  ].join('; ');

function compileNamed(
  path: string,
  given: string | TemplateDocument,
  { documents: { templates }, template }: SourceParts,
  report: Report,
): Send | null {
  if (typeof given !== 'string')
    return compileTemplate(given, (inner, ...fault) => report(path + inner, ...fault));
  // A template reports its own errors.
  if (!templates.has(given)) report(path, ...noSuch('template', given, templates.names));
  return template(given);
}

export function compileTemplate(template: TemplateDocument, report: Report): Send | null {
  const { kind, fallback: documents = [], ...values } = template;
  const params = compileParams(kind, values, report);
  let wrong = params === null;
  const fallback = documents.flatMap((document, at): FallbackSend[] => {
    const path = `.fallback[${at}]`;
    const { kind: other, account = null, after: afterMs = null, ...texts } = document;
    const parsed = compileParams(other, texts, (inner, ...fault) => report(path + inner, ...fault));
    const isRight = checkStep(document, kind, (inner, ...fault) => report(path + inner, ...fault));
    wrong ||= parsed === null || !isRight;
    return parsed === null ? [] : [{ kind: other, params: parsed, account, afterMs }];
  });
  return params === null || wrong ? null : { kind, params, fallback };
}

function checkStep(
  { kind, account, after }: FallbackDocument,
  ofTemplate: MessageKind,
  report: Report,
): boolean {
  const fits = goTogether(kind, ofTemplate);
  if (!fits) report('.kind', 'conflict', 'must be a `status` if, and only if, the template is one');
  const isLone = after !== undefined && account === undefined;
  if (isLone) report('.after', 'conflict', 'needs another `account`: this one would not send it any sooner');
  return fits && !isLone;
}

function compileParams(
  kind: MessageKind,
  values: Readonly<Record<string, string | readonly string[] | undefined>>,
  report: Report,
): readonly SendParam[] | null {
  const { params: parameters } = MESSAGE_KINDS[kind];
  const params: SendParam[] = [];
  let wrong = false;
  for (const [name, value] of Object.entries(values)) {
    const parameter = parameters[name];
    if (value === undefined || parameter === undefined) continue;
    const isList = typeof value !== 'string';
    const sources = isList ? value : [value];
    const texts = sources.flatMap((source, index) => {
      const text = compileText(source, MESSAGE_ROOTS);
      if (text.ok) return [text.value];
      wrong = true;
      report(`.${name}${isList ? `[${index}]` : ''}`, 'template', text.error);
      return [];
    });
    params.push({ name, ...parameter, texts });
  }
  return wrong ? null : params;
}

/** True if both kinds go to the same receivers, or neither has a receiver. */
const goTogether = (one: MessageKind, other: MessageKind): boolean =>
  MESSAGE_KINDS[one].hasReceiver === MESSAGE_KINDS[other].hasReceiver;

/** The kind, even if the template has errors: otherwise a status would be reported as lacking a receiver. */
function sendKind(
  { send, template }: RouteDocument,
  { documents: { templates } }: SourceParts,
): MessageKind | undefined {
  const name = typeof template === 'object' ? template['default'] : template;
  return send?.kind ?? templates.get(name ?? '')?.kind;
}
