import { createHmac } from 'node:crypto';
import { secretValues } from './secret.ts';

const encoder = new TextEncoder();

/**
 * True if two texts are equal. The time taken reveals neither the place of a difference nor the length of the expected
 * text: both are hashed first, since `timingSafeEqual` refuses inputs of different lengths.
 */
export async function equalsInConstantTime(given: string, expected: string): Promise<boolean> {
  const [a, b] = await Promise.all([
    crypto.subtle.digest('SHA-256', encoder.encode(given)),
    crypto.subtle.digest('SHA-256', encoder.encode(expected)),
  ]);
  return crypto.subtle.timingSafeEqual(a, b);
}

/**
 * Returns a code (hex) for a text that only this deployment can make. It proves values that strangers hand back, and
 * replaces values that must not be stored. `use` separates the codes of different things. A new secret or variable
 * changes all codes.
 */
export function relayMac(env: object, use: string, text: string): string {
  const root = createHmac('sha256', JSON.stringify(secretValues(env).toSorted()));
  const key = root.update(`hookbell ${use}`).digest();
  return createHmac('sha256', key).update(text).digest('hex');
}
