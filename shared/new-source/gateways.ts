import { GATEWAYS } from '../../src/gateway/makers/in-words.ts';
import { findMaker } from '../../src/gateway/makers/makers.ts';
import { own } from './own.ts';

/** The facts that a person wants before choosing where messages go. */
export interface GatewayFacts {
  readonly id: string;
  readonly name: string;
  readonly costs: string;
  readonly needs: string;
}

/** All of them, in the order in which they are offered. */
export const gatewayFacts: readonly GatewayFacts[] = GATEWAYS.map(({ id, name, costs, needs }) => ({
  id,
  name,
  costs,
  needs,
}));

/** The gateway that an account's document names. */
export function gatewayOf(account: unknown): string {
  const gateway = own(account, 'gateway');
  return typeof gateway === 'string' ? gateway : 'v2';
}

/** People's word for a receiver's address at a maker's gateway, such as `topic`; null: receivers are phone numbers, or a document says. */
export function addressOfGateway(id: string): string | null {
  const receiver = findMaker(id)?.shape.receiver ?? 'phone';
  return receiver === 'phone' ? null : receiver.what;
}
