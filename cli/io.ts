import type { Ask } from './ask.ts';
import type { Interrupt } from './interrupt.ts';

/** A place that text is written to, such as the terminal. */
export interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** The surroundings of the command line: those of a process (`process.ts`), or of a test. */
export interface Io {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Env;
  /** Reads all of stdin as text. Throws when it cannot be read. */
  readonly readStdin: () => string;
  readonly interrupt: Interrupt;
  /** Questions to a person; null when there is no terminal. */
  readonly ask: Ask | null;
}
