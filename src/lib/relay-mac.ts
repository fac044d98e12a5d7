import { createHmac } from 'node:crypto';
import { secretValues } from './secret.ts';

/**
 * A text's code (hex) that only this deployment can make: for what it gives to strangers and gets back, and in place of
 * what it must not keep. `use` separates the codes of different things. A new secret or variable changes all of them.
 */
export function relayMac(env: object, use: string, text: string): string {
  const root = createHmac('sha256', JSON.stringify(secretValues(env).toSorted()));
  const key = root.update(`hookbell ${use}`).digest();
  return createHmac('sha256', key).update(text).digest('hex');
}
