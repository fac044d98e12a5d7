import type { Version, Written } from '../../api/types.ts';
import { readStored, store } from '../../lib/stored.ts';
import { sameDocument } from '../../../shared/yaml-patch/same.ts';

/** An unpublished text, with the published text that it is based on (null: it is new). */
export interface TextDraft {
  readonly text: Written;
  readonly base: Written | null;
}

/** Kept over a reload and over the end of a session, in this tab alone. */
const keyOf = (id: string): string => `hookbell.draft:${id}`;

export const readDraft = (id: string): TextDraft | null => readStored(sessionStorage, keyOf(id));

export const keepDraft = (id: string, draft: TextDraft | null): void =>
  store(sessionStorage, keyOf(id), draft);

/** A version, and the text as it was in it; null: it was not there. */
export interface TextVersion {
  readonly version: Version;
  readonly text: Written | null;
}

/** The versions that changed the text. `steps` are newest first; the oldest is known as a change only if it is the first. */
export const changesOf = (steps: readonly TextVersion[], isAll: boolean): readonly TextVersion[] =>
  steps.filter(({ text }, at) => {
    const older = steps[at + 1];
    return older === undefined ? isAll && text !== null : !sameDocument(text, older.text);
  });
