import { createHmac } from 'node:crypto';
import { secretValues } from './secret.ts';

const encoder = new TextEncoder();

/** Both are hashed first, so that the time reveals no length, and since `timingSafeEqual` needs equal ones. */
export async function equalsInConstantTime(given: string, expected: string): Promise<boolean> {
  const [a, b] = await Promise.all([
    crypto.subtle.digest('SHA-256', encoder.encode(given)),
    crypto.subtle.digest('SHA-256', encoder.encode(expected)),
  ]);
  return crypto.subtle.timingSafeEqual(a, b);
}

/**
 * A code (hex) that only this deployment can make: it proves values that strangers hand back, and replaces those that
 * must not be stored. `use` separates different things. A new secret or variable changes all codes.
 */
export function relayMac(env: object, use: string, text: string): string {
  const root = createHmac('sha256', JSON.stringify(secretValues(env).toSorted()));
  const key = root.update(`hookbell ${use}`).digest();
  return createHmac('sha256', key).update(text).digest('hex');
}
