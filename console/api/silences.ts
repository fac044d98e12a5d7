import { ask, post, Refused } from './client.ts';
import type { ByHandAnswer, SilencePreview } from './types.ts';

/** Counts the open incidents that a condition matches. */
export const lookAtSilence = (when: string): Promise<SilencePreview> =>
  precise(post<SilencePreview>('/silences/preview', { when }));

export const addSilence = (when: string, until: Date, reason: string): Promise<ByHandAnswer> =>
  precise(post<ByHandAnswer>('/silences', { when, until: until.toISOString(), reason }));

export const endSilence = (id: string): Promise<void> =>
  ask<void>('DELETE', `/silences/${encodeURIComponent(id)}`);

/** A refusal says what is wrong with the condition, and not only that something is. */
export const precise = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((thrown: unknown) => {
    const wrong =
      thrown instanceof Refused ? thrown.problem.errors?.map(({ message }) => message) : undefined;
    if (!(thrown instanceof Refused) || wrong === undefined || wrong.length === 0) throw thrown;
    throw new Refused(thrown.status, { ...thrown.problem, detail: wrong.join('; ') });
  });
