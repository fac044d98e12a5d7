import { takes } from '../../gateway/call.ts';
import { MESSAGE_KINDS, type MessageKind } from '../../gateway/kinds.ts';
import type { GatewaySpec } from '../../gateway/shape.ts';
import { compileText } from '../../template/text.ts';
import { readDocumentNumber } from '../../phone/dialled.ts';
import { gatewayDigits } from '../../lib/numbers.ts';
import { type FieldError, fieldError, type Fault } from '../../lib/problem.ts';
import { suggest } from '../../lib/suggest.ts';
import { rightOnes, type SetDocuments } from '../documents/check.ts';
import { compileQuiet, compileThrottle } from './alerting.ts';
import { type Receiver, turnsOf, type Elsewhere, type Send } from '../compiled/config.ts';
import { DEFAULT_ACCOUNT_NAME } from '../secrets/credential-names.ts';
import { gatewayName, receiverRule, shapeOf, lacksStatus } from '../compiled/gateway-spec.ts';
import type { Report } from '../documents/issues.ts';
import type { PersonDocument, RecipientsDocument } from '../documents/recipients-schema.ts';
import { turnsOfList, type ListedOverride } from '../compiled/rotation.ts';
import type { RouteDocument } from '../documents/schema.ts';
import { noSuch } from '../documents/unknown-name.ts';

export interface AccountGateway {
  readonly account: string;
  readonly spec: GatewaySpec;
}

export interface ReceiverParts {
  readonly documents: Pick<SetDocuments, 'recipients'>;
  readonly overrides?: readonly ListedOverride[] | undefined;
  readonly gateway: AccountGateway;
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
    if (to !== undefined)
      report('.to', 'misplaced', 'is refused here: a status goes to all contacts and has no receiver');
    return [];
  }
  if (to === undefined) {
    report(
      '.to',
      'required',
      'is required: a number, the name of a recipients list, or a template such as "{{ payload.phone }}"',
    );
    return [];
  }
  return (Array.isArray(to) ? to : [to]).flatMap((entry, index) => {
    const path = Array.isArray(to) ? `.to[${index}]` : '.to';
    const receiver = compileReceiver(entry, parts, (...fault) => report(path, ...fault));
    return receiver === null ? [] : [receiver];
  });
}

type Refuse = (...fault: Fault) => void;

/** An output that ends in the `phone` filter must not be read again: digits without `+` could be a national number. */
const READ_BY_FILTER = /^(?:\{%-?\s*assign\b[^{}]*%\}\s*)*\{\{[^{}]*\|\s*phone\b[^|{}]*\}\}$/;

function compileReceiver(entry: string, parts: ReceiverParts, report: Refuse): Receiver | null {
  if (entry.includes('{{') || entry.includes('{%')) return fromPayload(entry, parts, report);
  const { recipients } = parts.documents;
  const address = addressKind(parts.gateway);
  if (address === null && gatewayDigits.test(entry)) return only(entry);
  const [name = '', person, ...more] = entry.split('/');
  const list = recipients.get(name);
  if (list !== undefined && more.length === 0) return ofList(list, { name, person }, parts, report);
  if (recipients.has(name)) return null;
  if (address !== null && takes(receiverRule(parts.gateway.spec), entry)) return only(entry);
  const number = readDocumentNumber(entry);
  if (number.ok && address === null) return only(number.value);
  if (number.ok && address !== null) report('number', notANumber(address, parts.gateway));
  else if (!number.ok && /^[+\d\s()./-]+$/.test(entry)) report('number', number.error);
  else report(...noSuch('recipients list', entry, recipients.names));
  return null;
}

/** Warns of addresses that are nearly the name of a recipients list. */
export function nearListWarnings(
  { recipients, sources }: Pick<SetDocuments, 'recipients' | 'sources'>,
  gatewayOf: (account: string) => GatewaySpec,
): readonly FieldError[] {
  return rightOnes(sources).flatMap(([id, { account = DEFAULT_ACCOUNT_NAME, routes = [] }]) => {
    const what = addressKind({ spec: gatewayOf(account) });
    if (what === null) return [];
    return routes.flatMap(({ to = [], escalate = [] }, at) =>
      [to, ...escalate.map((step) => step.to)].flat().flatMap((entry) => {
        const [name = ''] = entry.split('/');
        const list = recipients.has(name) || name.includes('{') ? null : suggest(name, recipients.names);
        const message = `\`${entry}\` is read as a ${what}; did you mean the recipients list \`${list}\`?`;
        return list === null ? [] : [fieldError(`sources.${id}.routes[${at}].to`, 'unknown-name', message)];
      }),
    );
  });
}

/** The name of the gateway's kind of address, such as `topic`; null if its receivers are phone numbers. */
export function addressKind({ spec }: Pick<AccountGateway, 'spec'>): string | null {
  const receiver = shapeOf(spec)?.receiver ?? 'phone';
  return receiver === 'phone' ? null : receiver.what;
}

const notANumber = (what: string, gateway: AccountGateway): string =>
  `is a phone number, and account \`${gateway.account}\` sends to a ${what} (${gatewayName(gateway.spec)}): ${addresses(what, gateway)}`;

const addresses = (what: string, { spec }: AccountGateway): string =>
  `write a ${what}, or name a recipients list whose people have one: \`people: { anna: { address: { ${spec.maker}: "…" } } }\``;

const only = (entry: string): Receiver => ({
  from: 'document',
  list: null,
  numbers: [entry],
  quiet: null,
  throttle: [],
});

function fromPayload(
  entry: string,
  { documents, gateway, mayBePremium }: ReceiverParts,
  report: Refuse,
): Receiver | null {
  const text = compileText(entry);
  if (!text.ok) {
    report('template', text.error);
    return null;
  }
  const isGatewayDigits = READ_BY_FILTER.test(entry.trim());
  const what = addressKind(gateway);
  if (what !== null && isGatewayDigits) {
    report('number', notANumber(what, gateway));
    return null;
  }
  const address = what === null ? null : receiverRule(gateway.spec);
  const lists = documents.recipients.names;
  return { from: 'payload', text: text.value, isGatewayDigits, address, lists, mayBePremium };
}

function ofList(
  list: RecipientsDocument,
  { name, person }: { readonly name: string; readonly person: string | undefined },
  { gateway, overrides = [] }: ReceiverParts,
  report: Refuse,
): Receiver | null {
  const { numbers = [], people = {}, quiet, throttle } = list;
  const what = addressKind(gateway);
  const found: string[] = person === undefined ? [...numbers] : [];
  if (person !== undefined && !Object.hasOwn(people, person)) {
    report(...noSuch('person', person, Object.keys(people), ` of the recipients list \`${name}\``));
    return null;
  }
  if (what !== null && found.length > 0) {
    report(
      'number',
      `the list \`${name}\` ${notANumber(what, gateway).replace('is a phone number', 'has phone numbers')}`,
    );
    return null;
  }
  const names = new Map<string, string>();
  const byName = new Map<string, string>();
  let isWrong = false;
  for (const [who, document] of Object.entries(people)) {
    if (person !== undefined && who !== person) continue;
    const receiver = receiverOf(document, gateway);
    if (receiver !== null && takes(receiverRule(gateway.spec), receiver)) {
      found.push(receiver);
      names.set(receiver, who);
      byName.set(who, receiver);
    } else {
      isWrong = true;
      report(
        'receiver',
        what === null
          ? `\`${who}\` of the list \`${name}\` has no \`phone\`, which account \`${gateway.account}\` needs`
          : `\`${who}\` of the list \`${name}\` has ${receiver === null ? 'no' : 'a wrong'} ${what} for account \`${gateway.account}\`: \`address: { ${gateway.spec.maker}: "…" }\``,
      );
    }
  }
  if (isWrong) return null;
  // A route that names a person of the list sends to that person, no matter who is on call.
  const rotation = person === undefined ? turnsOfList(name, list, overrides) : null;
  return {
    from: 'document',
    list: person === undefined ? name : `${name}/${person}`,
    numbers: found,
    ...(names.size > 0 && { names }),
    ...(rotation !== null && { turns: turnsOf(rotation, byName) }),
    quiet: compileQuiet(quiet),
    throttle: compileThrottle(throttle),
  };
}

/** The address under the account's own name, or else the one under its gateway's name. */
export function receiverOf(person: PersonDocument, { account, spec }: AccountGateway): string | null {
  const { phone = null, address = {} } = typeof person === 'string' ? { phone: person } : person;
  return addressKind({ spec }) === null ? phone : (address[account] ?? address[spec.maker] ?? null);
}

/** The same, but null if the gateway does not accept the text. */
export function receiverIn(person: PersonDocument, gateway: AccountGateway): string | null {
  const receiver = receiverOf(person, gateway);
  return receiver !== null && takes(receiverRule(gateway.spec), receiver) ? receiver : null;
}

interface ElsewhereParts extends Pick<ReceiverParts, 'documents' | 'gateway'> {
  readonly gatewayOf: (account: string) => GatewaySpec;
}

/** The receivers in the other accounts that a route's fallbacks name. */
export function compileElsewhere(
  { to = [], escalate = [] }: Pick<RouteDocument, 'to' | 'escalate'>,
  sends: readonly Send[],
  parts: ElsewhereParts,
  report: Report,
): ReadonlyMap<string, Elsewhere> {
  const found = new Map<string, Elsewhere>();
  const steps = escalate.map((step, at) => [`.escalate[${at}].to`, [step.to].flat()] as const);
  const places: Places = [['.to', [to].flat()], ...steps];
  for (const { account, kind } of sends.flatMap(({ fallback }) => fallback)) {
    if (account === null || account === parts.gateway.account) continue;
    const gateway = { account, spec: parts.gatewayOf(account) };
    const refuse: Report = (path, code, message) =>
      report(path, code, `${message}. A fallback names that account`);
    if (kind === 'status' && lacksStatus(gateway.spec))
      refuse(
        '',
        'unsupported',
        `sends a status, but ${gatewayName(gateway.spec)} (account \`${account}\`) cannot`,
      );
    if (!found.has(account)) found.set(account, elsewhere(places, gateway, parts, refuse));
  }
  return found;
}

type Places = readonly (readonly [path: string, to: readonly string[]])[];

function elsewhere(
  places: Places,
  gateway: AccountGateway,
  parts: ElsewhereParts,
  report: Report,
): Elsewhere {
  const receivers = new Map<string, string>();
  const isSame = takesTheSame(parts.gateway, gateway);
  for (const [path, entry] of places.flatMap(([place, to]) => to.map((one) => [place, one] as const))) {
    const [name = '', person] = entry.split('/');
    const list = parts.documents.recipients.get(name);
    if (list === undefined) {
      if (!isSame && !parts.documents.recipients.has(name))
        report(path, 'receiver', notReached(`\`${entry}\``, gateway));
      continue;
    }
    if (!isSame && person === undefined && (list.numbers ?? []).length > 0)
      report(path, 'receiver', notReached(`\`numbers\` of the list \`${name}\``, gateway));
    for (const [who, document] of Object.entries(list.people ?? {})) {
      if (person !== undefined && who !== person) continue;
      const here = receiverIn(document, parts.gateway);
      const there = receiverIn(document, gateway);
      if (there === null) report(path, 'receiver', notReached(`\`${who}\` of the list \`${name}\``, gateway));
      else if (here !== null && !receivers.has(here)) receivers.set(here, there);
    }
  }
  return { receivers, isSame };
}

/** True if two accounts reach a person by the same text: a phone number, or an address of the same maker. */
const takesTheSame = (one: AccountGateway, other: AccountGateway): boolean =>
  addressKind(one) === null
    ? addressKind(other) === null
    : one.spec.maker === other.spec.maker && addressKind(one) === addressKind(other);

const notReached = (who: string, gateway: AccountGateway): string => {
  const what = addressKind(gateway);
  return what === null
    ? `${who} has no phone number, which account \`${gateway.account}\` needs: name a recipients list whose people have a \`phone\``
    : `${who} has no ${what}, which account \`${gateway.account}\` needs: name a recipients list whose people have one: \`people: { anna: { address: { ${gateway.spec.maker}: "…" } } }\``;
};
