import { addressKind, receiverIn, type AccountGateway, type ReceiverParts } from './receivers.ts';
import type { Elsewhere } from '../compiled/config.ts';
import type { Send } from '../compiled/send.ts';
import type { GatewaySpec } from '../../gateway/shape.ts';
import { gatewayName, lacksStatus } from '../compiled/gateway-spec.ts';
import type { Report } from '../documents/issues.ts';
import type { RouteDocument } from '../documents/schema.ts';

/** The receivers of a route, and the gateways of accounts. */
interface ElsewhereParts extends Pick<ReceiverParts, 'documents' | 'gateway'> {
  readonly gatewayOf: (account: string) => GatewaySpec;
}

/**
 * Finds the receivers of a route in the other accounts that its fallbacks name. Reports receivers that an account
 * cannot reach.
 */
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

/** Receivers, and their places in the route. */
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
