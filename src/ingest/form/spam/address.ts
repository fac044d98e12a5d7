import { DAY } from '../../../lib/duration.ts';
import { network } from '../../../lib/public-address.ts';
import { relayMac } from '../../../lib/constant-time.ts';

const CODE_DIGITS = 32;

/**
 * Returns a code for the address that a form came from. It is the same for a day, differs for each source and each day,
 * and only this deployment can make it. Null if the platform does not give the address.
 */
export function addressCode(env: object, source: string, { headers }: Pick<Request, 'headers'>, now: number) {
  const address = headers.get('cf-connecting-ip');
  if (address === null || address === '') return null;
  const day = Math.floor(now / DAY);
  return relayMac(env, `form address ${day}`, `${source}\n${network(address)}`).slice(0, CODE_DIGITS);
}
