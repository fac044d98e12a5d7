import { ask, get, post } from './client.ts';
import { precise } from './silences.ts';
import type { OnCall } from './types.ts';

/** Somebody takes over, in the time zone of the list's rotation, also from an override that has begun. */
export const addOverride = (
  list: string,
  override: { readonly person: string; readonly from: string; readonly to: string },
): Promise<unknown> => precise(post(`/recipients/${encodeURIComponent(list)}/overrides`, override));

/** All links to the calendar of a list that were given away stop working. */
export const revokeCalendar = (list: string): Promise<unknown> =>
  ask('DELETE', `/recipients/${encodeURIComponent(list)}/calendar`);

/** Ends an override; one of the list's document is removed there. Gives who is on call then: now, or when it would have begun. */
export async function deleteOverride(list: string, override: OnCall['overrides'][number]): Promise<OnCall> {
  const path = `/recipients/${encodeURIComponent(list)}`;
  const { since, from, id = from } = override;
  await ask('DELETE', `${path}/overrides/${encodeURIComponent(id)}`);
  return get(`${path}/on-call`, Date.parse(since) > Date.now() ? { at: since } : {});
}
