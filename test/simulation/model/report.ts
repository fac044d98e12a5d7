/** Says that a rule does not hold; the message says who and what, and nothing that differs between runs. */
export type Report = (rule: string, message: string) => void;

/** What is wrong now, and by which rule. */
export interface Wrong {
  readonly rule: string;
  readonly message: string;
}
