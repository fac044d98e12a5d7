import { ownValue } from '../../src/lib/json.ts';

/** Returns the address for a source's webhooks. If `verify` expects the secret in the path, the name `secret` stands for it. */
export const addressOfSource = (
  origin: string,
  id: string,
  verify: unknown,
  secret: string | undefined,
): string => `${origin}/hooks/${id}${ownValue(verify, 'in') === 'path' ? `/<${secret ?? 'secret'}>` : ''}`;

/**
 * Returns the steps at a provider, with the address of this source. `secret`: the name in the steps and the name to put in
 * its place, since a second source of a provider has another secret; null: the steps name none.
 */
export function setUpSteps(
  steps: string,
  origin: string,
  id: string,
  secret: readonly [from: string, to: string] | null,
): string {
  const here = steps.replaceAll('https://<your worker>', origin).replaceAll('<source>', id);
  return secret === null ? here : here.replaceAll(secret[0], () => secret[1]);
}
