import { MESSAGE_KINDS, type MessageKind, takes } from '../../gateway/kinds.ts';
import type { GatewaySpec } from '../../gateway/shape.ts';
import { compileText } from '../../template/text.ts';
import { readDocumentNumber } from '../../phone/dialled.ts';
import { gatewayDigits } from '../../lib/numbers.ts';
import { type FieldError, fieldError, type Fault } from '../../lib/problem.ts';
import { suggest } from '../../lib/suggest.ts';
import { rightOnes, type SetDocuments } from '../documents/check.ts';
import { compileQuiet, compileThrottle } from '../compiled/alerting-rules.ts';
import { type Receiver, type Send, turnsOf, type Elsewhere } from '../compiled/config.ts';
import { DEFAULT_ACCOUNT_NAME } from '../secrets/credential-names.ts';
import { gatewayName, receiverRule, shapeOf, lacksStatus } from '../compiled/gateway-spec.ts';
import type { Report } from '../documents/issues.ts';
import type { PersonDocument, RecipientsDocument } from '../documents/alerting-schema.ts';
import { turnsOfList, type ListedOverride } from '../compiled/rotation.ts';
import type { RouteDocument } from '../documents/schema.ts';
import { noSuch } from '../documents/unknown-name.ts';

export interface AccountGateway {
  readonly account: string;
  readonly spec: GatewaySpec;
}

export type GatewayOf = (account: string) => GatewaySpec;

export interface ReceiverParts {
  readonly documents: Pick<SetDocuments, 'recipients'>;
  readonly overrides: readonly ListedOverride[];
  readonly gateway: AccountGateway;
  readonly gatewayOf: GatewayOf;
  /** True if premium-rate and satellite numbers are allowed where no countries are listed. */
  readonly mayBePremium: boolean;
}

export function compileReceivers(
  { to }: Pick<RouteDocument, 'to'>,
  kind: MessageKind | undefined,
  parts: ReceiverParts,
  report: Report,
): readonly Receiver[] {
  if (kind !== undefined && !MESSAGE_KINDS[kind].hasReceiver) {
    if (to !== undefined) report('.to', 'misplaced', OF_STATUS);
    return [];
  }
  if (to === undefined) report('.to', 'required', MISSING);
  return [to ?? []].flat().flatMap((entry, index) => {
    const path = Array.isArray(to) ? `.to[${index}]` : '.to';
    return compileReceiver(entry, parts, (...fault) => report(path, ...fault)) ?? [];
  });
}

const OF_STATUS = 'is refused here: a status goes to all contacts and has no receiver';
const MISSING =
  'is required: a number, the name of a recipients list, or a template such as "{{ payload.phone }}"';

type Refuse = (...fault: Fault) => void;

/** An output that ends in the `phone` filter must not be read again: digits without `+` could be a national number. */
const READ_BY_FILTER = /^(?:\{%-?\s*assign\b[^{}]*%\}\s*)*\{\{[^{}]*\|\s*phone\b[^|{}]*\}\}$/;

function compileReceiver(entry: string, parts: ReceiverParts, report: Refuse): Receiver | null {
  if (entry.includes('{{') || entry.includes('{%')) return fromPayload(entry, parts, report);
  const { recipients } = parts.documents;
  const address = addressKind(parts.gateway);
  if (address === null && gatewayDigits.test(entry)) return only(entry);
  const [name = '', , ...more] = entry.split('/');
  const list = recipients.get(name);
  if (list !== undefined && more.length === 0) return ofList(list, entry, parts, report);
  if (recipients.has(name)) return null;
  if (address !== null && takes(receiverRule(parts.gateway.spec), entry)) return only(entry);
  const number = readDocumentNumber(entry);
  if (number.ok && address === null) return only(number.value);
  if (number.ok && address !== null) report('number', notANumber(address, parts.gateway));
  else if (!number.ok && /^[+\d\s()./-]+$/.test(entry)) report('number', number.error);
  else report(...noSuch('recipients list', entry, recipients.names));
  return null;
}

/** The `to` of a route and of its steps, each with its place below the route. */
const receiversIn = ({ to = [], escalate = [] }: Pick<RouteDocument, 'to' | 'escalate'>) => [
  { path: '.to', to },
  ...escalate.map((step, at) => ({ path: `.escalate[${at}].to`, to: step.to })),
];

export const receiversInRoutes = (sources: SetDocuments['sources']) =>
  rightOnes(sources).flatMap(([id, { account = DEFAULT_ACCOUNT_NAME, routes = [] }]) =>
    routes.flatMap((document, at) => {
      const route = `sources.${id}.routes[${at}]`;
      return receiversIn(document).map(({ path, to }) => ({ account, route, path: route + path, to }));
    }),
  );

/** Warns of addresses that are nearly the name of a recipients list. */
export function nearListWarnings({ recipients, sources }: SetDocuments, gatewayOf: GatewayOf) {
  return receiversInRoutes(sources).flatMap(({ account, route, to }) => {
    const what = addressKind({ spec: gatewayOf(account) });
    return (what === null ? [] : [to].flat()).flatMap((entry): readonly FieldError[] => {
      const [name = ''] = entry.split('/');
      const list = recipients.has(name) || name.includes('{') ? null : suggest(name, recipients.names);
      const message = `\`${entry}\` is read as a ${what}; did you mean the recipients list \`${list}\`?`;
      return list === null ? [] : [fieldError(`${route}.to`, 'unknown-name', message)];
    });
  });
}

/** The name of the gateway's kind of address, such as `topic`; null if its receivers are phone numbers. */
export function addressKind({ spec }: Pick<AccountGateway, 'spec'>): string | null {
  const receiver = shapeOf(spec)?.receiver ?? 'phone';
  return receiver === 'phone' ? null : receiver.what;
}

const notANumber = (what: string, { account, spec }: AccountGateway): string =>
  `is a phone number, and account \`${account}\` sends to a ${what} (${gatewayName(spec)}): write a ${what}, or name a recipients list whose people have one: \`people: { anna: { address: { ${spec.maker}: "…" } } }\``;

const only = (entry: string): Receiver => ({
  from: 'document',
  list: null,
  numbers: [entry],
  quiet: null,
  throttle: [],
});

function fromPayload(entry: string, { documents, gateway, mayBePremium }: ReceiverParts, report: Refuse) {
  const text = compileText(entry);
  const isGatewayDigits = READ_BY_FILTER.test(entry.trim());
  const what = addressKind(gateway);
  if (!text.ok) report('template', text.error);
  else if (what !== null && isGatewayDigits) report('number', notANumber(what, gateway));
  else {
    const address = what === null ? null : receiverRule(gateway.spec);
    const lists = documents.recipients.names;
    return { from: 'payload' as const, text: text.value, isGatewayDigits, address, lists, mayBePremium };
  }
  return null;
}

/** `list/person` is only that one of the list, whoever is on call. */
function ofList(document: RecipientsDocument, entry: string, parts: ReceiverParts, report: Refuse) {
  const { numbers = [], people = {}, quiet, throttle } = document;
  const { gateway, overrides } = parts;
  const { account, spec } = gateway;
  const [name = '', person] = entry.split('/');
  const what = addressKind(gateway);
  const list = `the list \`${name}\``;
  if (person !== undefined && !Object.hasOwn(people, person)) {
    report(...noSuch('person', person, Object.keys(people), ` of the recipients list \`${name}\``));
    return null;
  }
  if (person === undefined && what !== null && numbers.length > 0) {
    const have = notANumber(what, gateway).replace('is a phone number', 'has phone numbers');
    report('number', `${list} ${have}`);
    return null;
  }
  const chosen = Object.entries(people).filter(([who]) => person === undefined || who === person);
  const byName = new Map<string, string>();
  for (const [who, one] of chosen) {
    const receiver = receiverOf(one, gateway);
    const lacks =
      what === null
        ? `has no \`phone\`, which account \`${account}\` needs`
        : `has ${receiver === null ? 'no' : 'a wrong'} ${what} for account \`${account}\`: \`address: { ${spec.maker}: "…" }\``;
    if (receiver !== null && takes(receiverRule(spec), receiver)) byName.set(who, receiver);
    else report('receiver', `\`${who}\` of ${list} ${lacks}`);
  }
  if (byName.size < chosen.length) return null;
  const names = new Map([...byName].map(([who, receiver]) => [receiver, who]));
  const rotation = person === undefined ? turnsOfList(name, document, overrides) : null;
  return {
    from: 'document' as const,
    list: entry,
    numbers: [...(person === undefined ? numbers : []), ...byName.values()],
    ...(names.size > 0 && { names }),
    ...(rotation !== null && { turns: turnsOf(rotation, byName) }),
    quiet: compileQuiet(quiet),
    throttle: compileThrottle(throttle),
  };
}

/** The address under the account's own name, or else the one under its gateway's name. */
function receiverOf(person: PersonDocument, { account, spec }: AccountGateway): string | null {
  const { phone = null, address = {} } = typeof person === 'string' ? { phone: person } : person;
  return addressKind({ spec }) === null ? phone : (address[account] ?? address[spec.maker] ?? null);
}

/** The same, but null if the gateway does not accept the text. */
function receiverIn(person: PersonDocument, gateway: AccountGateway): string | null {
  const receiver = receiverOf(person, gateway);
  return receiver !== null && takes(receiverRule(gateway.spec), receiver) ? receiver : null;
}

/** The receivers in the other accounts that a route's fallbacks name. */
export function compileElsewhere(
  route: RouteDocument,
  sends: readonly Send[],
  parts: ReceiverParts,
  report: Report,
): ReadonlyMap<string, Elsewhere> {
  const found = new Map<string, Elsewhere>();
  for (const { account, kind } of sends.flatMap(({ fallback }) => fallback)) {
    if (account === null || account === parts.gateway.account) continue;
    const gateway = { account, spec: parts.gatewayOf(account) };
    const refuse: Report = (path, code, message) =>
      report(path, code, `${message}. A fallback names that account`);
    const cannot = `sends a status, but ${gatewayName(gateway.spec)} (account \`${account}\`) cannot`;
    if (kind === 'status' && lacksStatus(gateway.spec)) refuse('', 'unsupported', cannot);
    if (!found.has(account)) found.set(account, elsewhere(route, gateway, parts, refuse));
  }
  return found;
}

function elsewhere(route: RouteDocument, gateway: AccountGateway, parts: ReceiverParts, report: Report) {
  const receivers = new Map<string, string>();
  const { account, spec } = gateway;
  const [kind, what] = [parts.gateway, gateway].map(addressKind);
  const isSame = kind === what && (kind === null || parts.gateway.spec.maker === spec.maker);
  const needs = what === null ? 'phone number' : what;
  const have = what === null ? 'a `phone`' : `one: \`people: { anna: { address: { ${spec.maker}: "…" } } }\``;
  const { recipients } = parts.documents;
  const entries = receiversIn(route).flatMap(({ path, to }) => [to].flat().map((entry) => ({ path, entry })));
  for (const { path, entry } of entries) {
    const [name = '', person] = entry.split('/');
    const lacks = (who: string): void => {
      const unreached = `${who} has no ${needs}, which account \`${account}\` needs`;
      report(path, 'receiver', `${unreached}: name a recipients list whose people have ${have}`);
    };
    const { numbers = [], people = {} } = recipients.get(name) ?? {};
    if (!isSame && !recipients.has(name)) lacks(`\`${entry}\``);
    if (!isSame && person === undefined && numbers.length > 0) lacks(`\`numbers\` of the list \`${name}\``);
    for (const [who, document] of Object.entries(people)) {
      if (person !== undefined && who !== person) continue;
      const here = receiverIn(document, parts.gateway);
      const there = receiverIn(document, gateway);
      if (there === null) lacks(`\`${who}\` of the list \`${name}\``);
      else if (here !== null && !receivers.has(here)) receivers.set(here, there);
    }
  }
  return { receivers, isSame };
}
