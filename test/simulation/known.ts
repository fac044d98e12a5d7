/** A rule that the relay breaks, and a seed that shows it. The list is to become empty. */
export interface KnownFinding {
  readonly rule: string;
  readonly seed: string;
  readonly hours: number;
  /** What goes wrong, in a line. */
  readonly note: string;
}

const DAY = 24;

/** A seed whose rule holds again fails the run: then its line is to be deleted here. */
export const KNOWN: readonly KnownFinding[] = [
  // What waits is a text, composed when something happened.
  {
    rule: 'no resolution is sent once it fires again',
    seed: '1-3',
    hours: DAY,
    note: 'a resolution that waits or is retried is sent as it was, after the next opening',
  },
  {
    rule: 'no opening is sent once it is resolved',
    seed: '1-2',
    hours: DAY,
    note: 'an opening that waits or is retried is sent as it was, after it has been resolved',
  },
  {
    rule: 'what had to wait comes as one message',
    seed: '1-3',
    hours: DAY,
    note: 'after a pause or a failure each repeat that fell due meanwhile is sent, one after the other',
  },
  {
    rule: 'a repeat comes after its time',
    seed: '1-3',
    hours: DAY,
    note: 'repeats count from when the last one was queued, not from when it was sent; an update can be left with no news in it',
  },
  {
    rule: 'what had to wait keeps quiet hours',
    seed: '1-6',
    hours: DAY,
    note: 'what was queued before quiet hours is sent in them',
  },
  {
    rule: 'a silence holds back what had to wait',
    seed: '1-830',
    hours: DAY,
    note: 'an opening that was queued or tried before the silence is sent in it',
  },
  {
    rule: 'what had to wait keeps the throttle',
    seed: '1-6',
    hours: DAY,
    note: 'a message takes its place when it is queued, not when it is sent: after a pause all of them come at once',
  },
  // What was queued counts as told.
  {
    rule: 'a dead message has notified nobody',
    seed: '1-48',
    hours: DAY,
    note: 'a resolution is sent to who never got the opening, since its message died',
  },
  {
    rule: 'what a dead message said stays due',
    seed: '1-77',
    hours: DAY,
    note: 'an opening or a resolution whose message died is never made up for',
  },
  {
    rule: 'what an outcome calls notified was sent',
    seed: '1-72',
    hours: DAY,
    note: 'an item is called notified as soon as its message is queued, and still when that is dead',
  },
  {
    rule: 'a resolution goes to who was notified of the opening',
    seed: '1-11',
    hours: DAY,
    note: 'a resolution overtakes the opening that is still retried',
  },
  {
    rule: 'who was notified of an opening is notified of its resolution',
    seed: '1-69',
    hours: DAY,
    note: 'a retried opening arrives after the resolution, and is the last word',
  },
  {
    rule: 'what flapped is said to be stable',
    seed: '1-489',
    hours: DAY,
    note: 'a flapping notice at the moment of a resolution counts as that resolution, and nobody is told how it ended',
  },
  // Silences and quiet hours hold back openings only.
  {
    rule: 'a silence holds back repeats',
    seed: '1-14',
    hours: DAY,
    note: 'silences are looked at for openings alone',
  },
  {
    rule: 'a silence holds back flapping notices',
    seed: '1-121',
    hours: DAY,
    note: 'silences are looked at for openings alone',
  },
  {
    rule: 'an inhibition holds back repeats',
    seed: '1-14',
    hours: DAY,
    note: 'inhibitions are looked at for openings alone',
  },
  {
    rule: 'an inhibition holds back flapping notices',
    seed: '1-66',
    hours: DAY,
    note: 'inhibitions are looked at for openings alone',
  },
  {
    rule: 'an inhibition holds back what had to wait',
    seed: '1-76',
    hours: DAY,
    note: 'an opening that was queued or tried before its inhibitor opened is sent while that is open',
  },
  {
    rule: 'a resolution waits for the morning',
    seed: '1-1',
    hours: DAY,
    note: 'resolutions pass quiet hours',
  },
  // A list that changes is another route to the incidents that are open.
  {
    rule: 'who left a list is notified of no firing',
    seed: '1-2',
    hours: DAY,
    note: 'who left a list gets repeats until the incident expires',
  },
  {
    rule: 'who left a list is notified of resolutions',
    seed: '1-15',
    hours: DAY,
    note: 'the resolution goes to those who are on the list then',
  },
  {
    rule: 'who leaves a list has quiet hours still',
    seed: '1-15',
    hours: DAY,
    note: 'what was held for who left a list in the night is sent at once',
  },
  {
    rule: 'who joins a list is notified of what is open',
    seed: '1-515',
    hours: DAY,
    note: 'who joins hears of an open incident when it is repeated, or never',
  },
  {
    rule: 'an incident is resolved for who left a list',
    seed: '1-15',
    hours: DAY,
    note: 'the incident of who left stays open, and is listed as such',
  },
  {
    rule: 'what is open for who left a list alone inhibits nothing',
    seed: '1-6',
    hours: DAY,
    note: 'the incident of who left stays open, and goes on to inhibit others',
  },
];
