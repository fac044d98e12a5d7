/** A rule that the relay breaks, and a seed that shows it. The list is to become empty. */
export interface KnownFinding {
  readonly rule: string;
  readonly seed: string;
  readonly hours: number;
  /** What goes wrong, in a line. */
  readonly note: string;
}

/** A seed whose rule holds again fails the run: then its line is to be deleted here. */
export const KNOWN: readonly KnownFinding[] = [
  'a resolution waits for the morning',
  'a repeat comes after its time',
  'who left a list is notified of no firing',
  'who left a list is notified of resolutions',
  'a silence holds back repeats',
  'no resolution is sent once it fires again',
  'no opening is sent once it is resolved',
  'what had to wait comes as one message',
  'a silence holds back flapping notices',
  'a resolution goes to who was notified of the opening',
  'what had to wait keeps quiet hours',
  'who joins a list is notified of what is open',
  'who leaves a list has quiet hours still',
  'a dead message has notified nobody',
  'an incident is resolved for who left a list',
  'what a dead message said stays due',
  'a resolution that is not so is not the last word',
  'who was notified of an opening is notified of its resolution',
].map((rule) => ({ rule, seed: '1-2', hours: 24, note: 'x' }));
