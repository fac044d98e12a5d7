import { takes } from '../../gateway/call.ts';
import { type FieldError, fieldError, type Fault } from '../../lib/problem.ts';
import { ESCAPE_AFTER_MS } from '../documents/account-defaults.ts';
import type { EscapeDocument, NotifyPolicy } from '../documents/account-schema.ts';
import { receiverRule, gatewayName, shapeOf } from './gateway-spec.ts';
import type { GatewaySpec } from '../../gateway/shape.ts';

export interface EscapePolicy {
  /** The time without success after which a message goes to the channel (ms). */
  readonly afterMs: number;
  /** A POST to an address that is a secret as a whole, or another account (`to`: null for the message's own receiver). */
  readonly via: NotifyPolicy | { readonly account: string; readonly to: string | null };
}

export const escapePolicy = ({ after = ESCAPE_AFTER_MS, via }: EscapeDocument): EscapePolicy => ({
  afterMs: after,
  via:
    via.account === undefined
      ? {
          url: '{secret}',
          secret: via.secret ?? '',
          format: via.kind === undefined || via.kind === 'webhook' ? 'json' : via.kind,
        }
      : { account: via.account, to: via.to ?? null },
});

export const escapeSecret = (escape: EscapePolicy | null): string | null =>
  escape !== null && 'url' in escape.via ? escape.via.secret : null;

type GatewayOf = (account: string) => GatewaySpec | undefined;

export function escapeErrors(
  name: string,
  escape: EscapePolicy,
  gatewayOf: GatewayOf,
): readonly FieldError[] {
  const { via } = escape;
  if (!('account' in via)) return [];
  const { account, to } = via;
  const error = (key: string, ...fault: Fault): readonly FieldError[] => [
    fieldError(`accounts.${name}.escape.via.${key}`, ...fault),
  ];
  const [own, other] = [gatewayOf(name), gatewayOf(account)];
  if (account === name) return error('account', 'conflict', 'must be another account');
  // An unknown account is reported where accounts are looked up.
  if (own === undefined || other === undefined) return [];
  const rule = receiverRule(other);
  if (to !== null) return takes(rule, to) ? [] : error('to', 'receiver', `must be ${rule.what}`);
  const [here, there] = [own, other].map((spec) => JSON.stringify(shapeOf(spec)?.receiver ?? 'phone'));
  return here === there
    ? []
    : error(
        'to',
        'required',
        `is required: ${gatewayName(other)} cannot send to the receivers of this account`,
      );
}

interface Statuses {
  readonly id: string;
  readonly account: string;
  readonly routes: readonly {
    readonly name: string;
    readonly send: { readonly kind: string };
    readonly delivery: { readonly priority: string };
  }[];
}

/** A status has no receiver: if urgent ones may go to another account, `escape.via.to` has to name one. */
export const statusErrors = (
  { id, account, routes }: Statuses,
  escapeOf: (account: string) => EscapePolicy | null | undefined,
): readonly FieldError[] => {
  const via = escapeOf(account)?.via;
  const urgent = routes.find(({ send, delivery }) => send.kind === 'status' && delivery.priority === 'high');
  if (via === undefined || !('account' in via) || via.to !== null || urgent === undefined) return [];
  const message = `is required: route \`${urgent.name}\` of source \`${id}\` sends a status of \`priority: high\`, which has no receiver`;
  return [fieldError(`accounts.${account}.escape.via.to`, 'required', message)];
};
