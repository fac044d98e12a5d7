import type { Ask } from './ask.ts';
import type { Interrupt } from './interrupt.ts';

/** Where text is written to. */
export interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Environment variables. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The world around the command line: a process's own (`process.ts`), or what a test gives. */
export interface Io {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Env;
  /** All that comes in by stdin, as text. Throws when it cannot be read. */
  readonly readStdin: () => string;
  readonly interrupt: Interrupt;
  /** Questions; null when nobody is there to answer. */
  readonly ask: Ask | null;
}
