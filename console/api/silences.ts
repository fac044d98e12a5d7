import { faultText } from '../texts/relay-texts.ts';
import { ask, post, Refused } from './client.ts';
import type { ByHandAnswer, SilenceOf, SilencePreview } from './types.ts';

/** What is silenced: things, or what a condition matches. */
export type Silenced = { readonly of: SilenceOf } | { readonly when: string };

/** Counts the open incidents that it would match. */
export const previewSilence = (what: Silenced): Promise<SilencePreview> =>
  precise(post<SilencePreview>('/silences/preview', what));

export const addSilence = (what: Silenced, until: Date, reason: string): Promise<ByHandAnswer> =>
  precise(post<ByHandAnswer>('/silences', { ...what, until: until.toISOString(), reason }));

export const endSilence = (id: string): Promise<void> =>
  ask<void>('DELETE', `/silences/${encodeURIComponent(id)}`);

/** A refusal says what is wrong with the condition, and not only that something is. */
export const precise = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((thrown: unknown) => {
    const wrong = thrown instanceof Refused ? thrown.problem.errors?.map(faultText) : undefined;
    if (!(thrown instanceof Refused) || wrong === undefined || wrong.length === 0) throw thrown;
    throw new Error(wrong.join('; '), { cause: thrown });
  });
