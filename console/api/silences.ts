import { ask, post } from './client.ts';
import type { SilenceByHand, SilenceLook } from './types.ts';

/** Counts the open incidents that a condition matches. */
export const lookAtSilence = (when: string): Promise<SilenceLook> =>
  post<SilenceLook>('/silences/preview', { when });

export const addSilence = (when: string, until: Date, reason: string): Promise<SilenceByHand> =>
  post<SilenceByHand>('/silences', { when, until: until.toISOString(), reason });

export const endSilence = (id: string): Promise<void> =>
  ask<void>('DELETE', `/silences/${encodeURIComponent(id)}`);
