import { post } from './client.ts';
import { precise } from './silences.ts';
import type { Receipt } from './types.ts';

/** Publishes a list with one more override: somebody takes over, in the time zone of its rotation. */
export const addOverride = (
  list: string,
  override: { readonly person: string; readonly from: string; readonly to: string },
): Promise<Receipt> => precise(post<Receipt>(`/recipients/${encodeURIComponent(list)}/overrides`, override));
