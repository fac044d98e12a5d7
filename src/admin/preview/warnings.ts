import type { Fault } from '../../lib/problem.ts';
import {
  type AccountPolicy,
  type LoadedConfig,
  type Route,
  type Source,
  isSuppressed,
  type IncidentRule,
  sendIn,
  stepsOf,
} from '../../config/compiled/config.ts';
import { warnOfActions } from '../../config/compile/actions.ts';
import { eventScope, type WebhookEvent } from '../../ingest/request/event.ts';
import { MAX_KEY_LENGTH } from '../../config/documents/alerting-schema.ts';
import type { RouteResult } from '../../ingest/routing/result.ts';
import { createRouteBudget } from '../../template/basics/budget.ts';
import { splitText } from '../../lib/text.ts';
import { withLinks } from '../../render/links.ts';
import { gapsIn, valuesIn, renderText, type CompiledText, readElements } from '../../template/text.ts';
import { formatMinor } from '../../template/filters/money.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { dueNow } from './route.ts';
import { gatewayName, receiverRule, shapeOf } from '../../config/compiled/gateway-spec.ts';
import { checkCall } from '../../gateway/kinds.ts';
import { outgoing } from '../../gateway/http.ts';
import type { GatewaySpec } from '../../gateway/shape.ts';
import type { PreviewWarning } from './api-preview.ts';
import { chatId } from '../../phone/read.ts';

const MANY_RECEIVERS = 100;
/** The number of elements of a route's `each` that are checked. The others use the same templates. */
const MAX_ELEMENTS = 20;
export const MAX_WARNINGS = 100;

interface SentBy extends Pick<LoadedConfig, 'suppressions'> {
  readonly policy: AccountPolicy | undefined;
}

export interface PreviewSubject extends SentBy {
  readonly source: Source;
}

export function previewWarnings(event: WebhookEvent, results: readonly RouteResult[], by: SentBy) {
  const { dedupe, locale, routes } = event.source;
  const found = new Map<string, PreviewWarning>();
  const report = (route: string | null, parameter: string, ...[code, message]: Fault): void => {
    const key = JSON.stringify([route, parameter, message]);
    if (found.size < MAX_WARNINGS) found.set(key, { route, parameter, code, message });
  };
  if (dedupe.key !== null)
    for (const missing of gapsIn(dedupe.key, eventScope(event), locale).missing)
      report(null, 'dedupe.key', 'absent', sameKey(missing));
  for (const route of routes) {
    const result = results.find(({ route: name }) => name === route.name);
    const warn: Warn = (parameter, ...fault) => report(route.name, parameter, ...fault);
    warnOfCurrencies(route, warn);
    if (result !== undefined && isTaken(result)) warnOfRoute(event, warn, route, result, by);
  }
  return [...found.values()];
}

const sameKey = ({ path, hint }: { readonly path: string; readonly hint: string }): string =>
  `\`${path}\` is not there${hint}: other events may get the same key`;

type Warn = (parameter: string, ...fault: Fault) => void;

const isTaken = ({ result, failures }: RouteResult): boolean =>
  result === 'matched' || failures.some(({ parameter }) => parameter !== 'when');

function warnOfRoute(event: WebhookEvent, warn: Warn, route: Route, result: RouteResult, by: SentBy): void {
  const { policy } = by;
  const whole: Scope = { ...eventScope(event), budget: createRouteBudget() };
  const { each } = route;
  for (const { path, missing } of each === null ? [] : valuesIn(each, whole, event.source.locale))
    if (missing !== null) warn('each', 'absent', `\`${path}\` is not there${missing.hint}`);
  const elements = each === null ? [] : readElements(each, whole, event.source.locale).slice(0, MAX_ELEMENTS);
  const scopes = each === null ? [whole] : elements.map((item, at) => ({ ...whole, item, index: at + 1 }));
  for (const scope of scopes) {
    const turn = { event, scope, warn };
    if (route.once !== null)
      for (const missing of gapsIn(route.once, scope, event.source.locale).missing)
        warn('once', 'absent', sameKey(missing));
    for (const receiver of route.to)
      if (receiver.from === 'payload') {
        warnOfMissing('to', receiver.text, turn);
        if (receiver.address === null && !receiver.isGatewayDigits) warnOfNumber(receiver.text, turn);
      }
    if (route.alerting === null) warnOfParams(route, turn);
    else warnOfKey(route.alerting.incident, turn);
  }
  warnOfActions(route, (path, ...fault) => warn(path.slice(1), ...fault));
  const { items = [], notes = [] } = result;
  for (const { scope } of dueNow(event, route, items).slice(0, MAX_ELEMENTS))
    warnOfParams(route, { event, scope, warn });
  for (const { parameter, code, reason } of notes) warn(parameter, code, reason);
  for (const text of policy === undefined ? [] : standIns(result.messages, policy.gateway))
    warn('kind', 'unsupported', text);
  if (scopes.length > 0 && result.messages.length + items.length + result.failures.length === 0)
    warn('to', 'receiver', 'has no receivers: its lists are empty, so nothing is sent');
  const phones = [...result.messages.map(({ phone }) => phone), ...items.flatMap((item) => item.phones)];
  const receivers = new Set(phones);
  if (receivers.size > MANY_RECEIVERS)
    warn('to', 'many-receivers', `${receivers.size} receivers get it${duration(result, policy)}`);
  const outText = 'has opted out, so nothing is sent: if they want it again, remove their suppression';
  for (const phone of route.isTransactional ? [] : receivers)
    if (phone !== null && isSuppressed(by, phone)) warn('to', 'opted-out', `${phone} ${outText}`);
}

/** The time that a route's messages need at the account's pace, as text. */
function duration({ messages: { length } }: RouteResult, policy: AccountPolicy | undefined): string {
  const rate = policy?.rate;
  if (!rate || length <= rate.burst) return '';
  const minutes = Math.ceil((length - rate.burst) / rate.perMinute);
  return `, which takes about ${minutes} min at the account's pace of ${rate.perMinute} a minute`;
}

interface WarningContext {
  readonly event: WebhookEvent;
  readonly scope: Scope;
  readonly warn: Warn;
}

function warnOfMissing(parameter: string, text: CompiledText, { event, scope, warn }: WarningContext): void {
  for (const { path, hint } of gapsIn(text, scope, event.source.locale).missing)
    warn(parameter, 'absent', `\`${path}\` is not there${hint}, so it is rendered empty`);
}

function warnOfKey(incident: IncidentRule | null, turn: WarningContext): void {
  if (incident === null) return;
  warnOfMissing('incident.key', incident.key, turn);
  const key = renderText(incident.key, turn.scope, turn.event.source.locale);
  const length = key.ok ? key.value.trim().length : 0;
  const message = `has ${length} characters, more than ${MAX_KEY_LENGTH}: a hash replaces the rest`;
  if (length > MAX_KEY_LENGTH) turn.warn('incident.key', 'too-long', message);
}

function warnOfParams(route: Route, given: WarningContext): void {
  const turn = { ...given, scope: withLinks(given.scope, route.actions) };
  // Only the first send can continue in further messages, and only in one parameter.
  const send = sendIn(route.send, turn.event.source.locale.locale);
  let maySplit = route.overflow === 'split';
  for (const { params } of [send, ...send.fallback]) {
    for (const param of params) {
      for (const text of param.texts) {
        warnOfMissing(param.name, text, turn);
        warnOfClocks(param.name, text, turn);
        if (param.holds === 'url') continue;
        const rendered = renderText(text, turn.scope, turn.event.source.locale);
        // With `overflow: fail` the route fails and reports it.
        if (!rendered.ok || route.overflow === 'fail') continue;
        const { length } = rendered.value;
        if (length <= route.maxLength) continue;
        // A poll's option and a second long text cannot continue in a further message.
        const splits: boolean = maySplit && param.holds !== 'list';
        const then = splits
          ? `sent in ${splitText(rendered.value, route.maxLength).length} pieces`
          : 'cut off';
        const message = `has ${length} characters, but \`max_length\` is ${route.maxLength}: it is ${then}`;
        turn.warn(param.name, 'too-long', message);
        maySplit &&= !splits;
      }
    }
    maySplit = false;
  }
}

const CURRENCY = /\|\s*money(?:_major)?\s*:\s*(?:"([^"]*)"|'([^']*)')/g;

/** Finds a literal unknown currency before anybody pays in it. */
function warnOfCurrencies({ send }: Route, warn: Warn): void {
  for (const { name, texts } of stepsOf(send).flatMap(({ params }) => params)) {
    for (const [, double, single] of texts.flatMap(({ source }) => [...source.matchAll(CURRENCY)])) {
      const known = formatMinor(0, double ?? single ?? '', 'en');
      if (!known.ok) warn(name, 'unknown-name', `money: ${known.error}`);
    }
  }
}

/** Explains the texts that the gateway sends in place of these messages, each once. */
function standIns(messages: RouteResult['messages'], spec: GatewaySpec): readonly string[] {
  const shape = shapeOf(spec);
  if (shape === null) return [];
  const texts = messages.flatMap(({ kind, phone, params }) => {
    const call = checkCall({ kind, phone, params }, receiverRule(spec));
    const sent = call.ok ? outgoing(call.value, shape, spec.options) : null;
    if (sent?.call.kind !== 'text' || sent.reason === null) return [];
    const why = sent.reason === 'kind' ? 'does not have' : 'has lower limits for';
    return [`${gatewayName(spec)} ${why} this kind: it goes out as a text: ${sent.call.params.message}`];
  });
  return [...new Set(texts)];
}

/** Finds digits of a receiver that are a number only if they happen to begin with a country code. */
function warnOfNumber(text: CompiledText, { event, scope, warn }: WarningContext): void {
  const { locale } = event.source;
  if (locale.country !== undefined) return;
  const rendered = renderText(text, scope, locale);
  const digits = rendered.ok ? rendered.value.trim() : '';
  const isBare = /^(?!00)[\d\s()./-]+$/.test(digits);
  if (!isBare || chatId(digits, scope.payload, locale.chatIds) !== null) return;
  const message = `\`${text.source}\` has no + here, and the source has no \`country\`: set it if the digits are national, or write + before them if they begin with a country code`;
  warn('to', 'number', message);
}

/** The end of names such as `date_paid_gmt` and `eventDateUtc`. */
const SAYS_UTC = /(?:gmt|utc)\b/i;

/** Finds times that would be hours off if the sender means its own clock. */
function warnOfClocks(parameter: string, text: CompiledText, { event, scope, warn }: WarningContext): void {
  const { locale } = event.source;
  if (locale.localTimes === true || locale.timezone === 'UTC') return;
  const advice =
    'is a time without a zone, which is read as UTC: write `datetime: "medium", "local"` if it is local';
  for (const expression of gapsIn(text, scope, locale).clocks)
    if (!SAYS_UTC.test(expression)) warn(parameter, 'time-zone', `\`${expression}\` ${advice}`);
}
