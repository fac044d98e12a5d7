import { err, type Result } from '../src/lib/result.ts';

/** Why a command did not do what was asked, in words for the person who asked. */
export interface Failure {
  /** One line: what is wrong, and what to do. */
  readonly message: string;
  /** More lines, each a thing of its own: what is wrong where. */
  readonly details?: readonly string[];
  /** 1: it failed. 2: it was asked in a way that cannot be understood. 130: a person stopped it. */
  readonly exit: 1 | 2 | 130;
  /** The status that the relay answered with, if it answered. */
  readonly status?: number;
  /** What the relay said is wrong and where, if it said so. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  /** True: the request may have been carried out all the same. */
  readonly unsure?: boolean;
}

/** What a command, or a step of one, comes to. */
export type Outcome<T = void> = Result<T, Failure>;

/** It did not work: exit code 1. */
export const failed = (message: string, more: Partial<Failure> = {}) =>
  err<Failure>({ ...more, message, exit: 1 });

/** It was asked wrongly: exit code 2. */
export const misused = (message: string) => err<Failure>({ message, exit: 2 });

/** A person stopped it: exit code 130, as shells have it for Ctrl-C. */
export const stopped = (message: string) => err<Failure>({ message, exit: 130 });
