/** Says that a rule does not hold; the message says who and what, and nothing that differs between runs. */
export type Report = (rule: string, message: string) => void;

/** A problem at the moment, and the rule that it breaks. */
export interface Wrong {
  readonly rule: string;
  readonly message: string;
}
