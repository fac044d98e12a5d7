import { own } from './own.ts';

/** Where the webhooks of a source go. `secret`: the name that stands for the value, where `verify` wants it in the path. */
export const addressOfSource = (
  origin: string,
  id: string,
  verify: unknown,
  secret: string | undefined,
): string => `${origin}/hooks/${id}${own(verify, 'in') === 'path' ? `/<${secret ?? 'secret'}>` : ''}`;

/**
 * The steps at a provider, with the address of this source. `secret`: the name in the steps, and the source's own, since a
 * second source of a provider has another; null: the steps name none.
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
