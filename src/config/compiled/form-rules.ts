/** The field in which Turnstile's widget puts its answer. */
export const TURNSTILE_FIELD = 'cf-turnstile-response';

export interface FormRules {
  /** `any`: any page, and requests that do not state their origin. Null: any page that states its origin. */
  readonly origins: readonly string[] | 'any' | null;
  /** The pages to which browsers are redirected; null for a small page of the relay. */
  readonly redirect: { readonly ok: string | null; readonly failed: string | null };
  /** The fields that the source declares. If empty, the form takes any field. */
  readonly fields: readonly FieldRule[];
  readonly keepsOthers: boolean;
  readonly spam: SpamRules;
}

/** The rules that recognise spam. A rule that is null is not used. */
export interface SpamRules {
  /** A field that people cannot see. */
  readonly honeypot: string | null;
  readonly links: number | null;
  /** The shortest time in which a visitor can fill in the form (ms). */
  readonly minMs: number | null;
  /** The name of the secret for calls to Turnstile. */
  readonly turnstile: string | null;
  /** The maximum number of forms from one address in an hour. */
  readonly perHour: number | null;
}

export type FieldKind = 'text' | 'name' | 'email' | 'phone' | 'file';

export interface FieldRule {
  readonly name: string;
  readonly kind: FieldKind;
  /** The field's name for visitors; null for the name in the form. */
  readonly label: string | null;
  /** The longest value, in UTF-16 units. */
  readonly max: number;
  readonly required: boolean;
}

/** For a route to a number from a form: anybody can have its message sent to anybody, so it may show little. */
export interface VisitorRule {
  /** The fields that its texts may show. They hold names. */
  readonly names: readonly string[];
}
