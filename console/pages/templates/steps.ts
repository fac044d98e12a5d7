import type { Version } from '../../api/types.ts';
import { sameText } from './drafts.ts';
import type { Doc } from './texts-of-set.ts';

/** A version, and the text as it was in it; null: it was not there. */
export interface TextVersion {
  readonly version: Version;
  readonly text: Doc | null;
}

/** The newest steps, and whether there are no older ones. */
export interface TextHistory {
  readonly steps: readonly TextVersion[];
  readonly isAll: boolean;
}

/** The versions that changed the text. `steps` are newest first; the oldest is known as a change only if it is the first. */
export const changesOf = (steps: readonly TextVersion[], isAll: boolean): readonly TextVersion[] =>
  steps.filter(({ text }, at) => {
    const older = steps[at + 1];
    return older === undefined ? isAll && text !== null : !sameText(text, older.text);
  });
