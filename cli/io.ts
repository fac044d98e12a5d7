import type { Ask } from './ask.ts';

/** A place that text is written to, such as the terminal. */
export interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** Handles Ctrl-C. */
export interface Interrupt {
  /** Calls `handler` on Ctrl-C instead of ending at once, until the returned function is called. */
  handle(handler: () => void): () => void;
  /** Ends now, with the exit code that shells use for the signal. `message` is shown first. */
  leave(message?: string): never;
}

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
