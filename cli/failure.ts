import { err, type Result } from '../src/lib/result.ts';

export interface Failure {
  /** One line: what is wrong, and what to do. */
  readonly message: string;
  /** More lines, one for each error: what is wrong, and where. */
  readonly details?: readonly string[];
  /** 1: it failed. 2: wrong usage. 130: a person stopped it. */
  readonly exit: 1 | 2 | 130;
  /** The status that the relay answered with, if it answered. */
  readonly status?: number;
  /** The errors that the relay reported, with their places. */
  readonly errors?: readonly {
    readonly path: string;
    readonly code?: string | undefined;
    readonly message: string;
  }[];
  /** True: the request may have been carried out in spite of the failure. */
  readonly unsure?: boolean;
}

export type CommandResult<T = void> = Result<T, Failure>;

/** The value of what cannot fail here; throws when it does. */
export function must<T>(result: CommandResult<T>): T {
  if (result.ok) return result.value;
  throw new Error(result.error.message);
}

/** A failure: exit code 1. */
export const failed = (message: string, more: Partial<Failure> = {}) =>
  err<Failure>({ ...more, message, exit: 1 });

/** Wrong usage: exit code 2. */
export const misused = (message: string) => err<Failure>({ message, exit: 2 });

/** A person stopped it: exit code 130, as shells use for Ctrl-C. */
export const stopped = (message: string) => err<Failure>({ message, exit: 130 });
