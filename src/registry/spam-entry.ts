import type { RejectionEntry, SpamKind } from './api-rejection.ts';

/** The reason why a form is taken for spam. `detail`: for people, without anything that was written into the form. */
export interface Spam {
  readonly kind: SpamKind;
  readonly detail: string;
}

/** The data to make an event of a form with, once a person decides that it is not spam. */
export interface KeptForm {
  readonly type: string | null;
  /** ms. */
  readonly receivedAt: number;
  readonly dedupeKey: string | null;
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** A form that was taken for spam. */
export interface SpamEntry extends RejectionEntry {
  readonly spam: SpamKind;
}

/** The same, to be recorded. */
export interface NewSpam {
  readonly entry: SpamEntry;
  /** The id that its event would have. */
  readonly event: string;
  /** The digest of its fields and its source. The same form within `sameMs` is the same spam. */
  readonly digest: string;
  readonly sameMs: number;
  /** A {@link KeptForm} as JSON; null if its source keeps no payloads. */
  readonly form: string | null;
}
