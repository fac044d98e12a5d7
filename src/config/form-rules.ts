/** The field in which Turnstile's widget puts its answer. */
export const TURNSTILE_FIELD = 'cf-turnstile-response';

/** The rules of a form: what it may send, and what its visitors see. Plain data. */
export interface FormRules {
  /**
   * The pages that may post, by their origins. `any`: any page, and what does not say where it comes from. Null: any
   * page that says where it is.
   */
  readonly origins: readonly string[] | 'any' | null;
  /** The pages to which a browser is redirected; null for a small page of the relay. */
  readonly redirect: { readonly ok: string | null; readonly failed: string | null };
  /** Those that the source declares; empty: it takes any. */
  readonly fields: readonly FieldRule[];
  readonly keepsOthers: boolean;
  readonly spam: SpamRules;
}

/** The rules that recognise spam; null: it is not looked for in this way. */
export interface SpamRules {
  /** A field that people do not see. */
  readonly honeypot: string | null;
  /** The most links that its fields may have together. */
  readonly links: number | null;
  /** The shortest time that a visitor needs (ms). */
  readonly minMs: number | null;
  /** The name of the secret that Turnstile is asked with. */
  readonly turnstile: string | null;
  /** The most forms that an address may send in an hour. */
  readonly perHour: number | null;
}

export type FieldKind = 'text' | 'name' | 'email' | 'phone' | 'file';

export interface FieldRule {
  readonly name: string;
  readonly kind: FieldKind;
  /** The field's name for visitors; null for the name in the form. */
  readonly label: string | null;
  /** UTF-16 units. */
  readonly max: number;
  readonly required: boolean;
}

/** A route to a number from a form. Anybody can have it sent to anybody, so it says little. */
export interface VisitorRule {
  /** The fields that its texts may show: those that are names. */
  readonly names: readonly string[];
}
