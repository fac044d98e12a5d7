/** A rule that the relay breaks, and a seed that shows it. The list is to become empty. */
export interface KnownFinding {
  readonly rule: string;
  readonly seed: string;
  readonly hours: number;
  /** The problem, in a line. */
  readonly note: string;
}

/** A seed whose rule holds again fails the run: then its line is to be deleted here. */
export const KNOWN: readonly KnownFinding[] = [
  {
    rule: 'a step names all of its group that nobody has',
    seed: '6-658762',
    hours: 24,
    note: 'after a pause of the account, a due step leaves out one that opened a quarter of an hour before',
  },
];
