import { ask, get, post } from './client.ts';
import { precise } from './silences.ts';
import type { ChangeReceipt, OnCall } from './types.ts';

/**
 * Publishes a list with one more override: somebody takes over, in the time zone of its rotation, also from an override
 * that has begun.
 */
export const addOverride = (
  list: string,
  override: { readonly person: string; readonly from: string; readonly to: string },
): Promise<ChangeReceipt> =>
  precise(
    post<ChangeReceipt>(`/recipients/${encodeURIComponent(list)}/overrides`, { ...override, replace: true }),
  );

/** All links to the calendar of a list that were given away stop working. */
export const revokeCalendar = (list: string): Promise<unknown> =>
  ask('DELETE', `/recipients/${encodeURIComponent(list)}/calendar`);

/** Publishes a list without one of its overrides. Gives who is on call then: now, or when it would have begun. */
export async function deleteOverride(
  list: string,
  { from, since }: Pick<OnCall['overrides'][number], 'from' | 'since'>,
): Promise<OnCall> {
  const path = `/recipients/${encodeURIComponent(list)}`;
  await ask('DELETE', `${path}/overrides/${encodeURIComponent(from)}`);
  return get(`${path}/on-call`, Date.parse(since) > Date.now() ? { at: since } : {});
}
