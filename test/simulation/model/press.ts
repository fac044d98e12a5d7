import type { Link } from './link.ts';

/** Writes and calls within this time may be seen in another order (ms). */
export const MOMENT_MS = 5_000;

/** A press of a link, with all that its person does until the page says something. Times in ms. */
export interface Press {
  readonly link: Link;
  readonly requestedAt: number;
  /** The same link was pressed before, and that may still be what its page says. */
  readonly isAgain: boolean;
  /** Its incidents that surely were open. */
  readonly open: ReadonlySet<string>;
  /** Of each of these, the others who surely knew that it was open. */
  readonly knew: ReadonlyMap<string, readonly string[]>;
  /** `done`: the page said so; `not`: the page said why not; `unknown`: nobody saw an answer. */
  state: 'asked' | 'done' | 'not' | 'unknown';
  /** The time when its person knew, or gave up. */
  endedAt: number;
  undo: Undo | null;
}

/** A press is taken back; `doneAt` null: it may not be. */
export interface Undo {
  readonly requestedAt: number;
  doneAt: number | null;
}
