import * as clack from '@clack/prompts';
import { ok } from '../src/lib/result.ts';
import { stopped, type Outcome } from './failure.ts';

/** Questions to a person on a terminal. They are shown on stderr, so that stdout has only results. */
export interface Ask {
  confirm(message: string): Promise<Outcome<boolean>>;
  text(question: TextQuestion): Promise<Outcome<string>>;
  /** One of a long list, found by typing part of it. */
  search(message: string, choices: readonly Choice[]): Promise<Outcome<string>>;
}

interface TextQuestion {
  readonly message: string;
  /** The answer that is filled in already. */
  readonly initial?: string;
  readonly hint?: string;
  /** What is wrong with an answer; undefined: nothing. */
  readonly check?: (answer: string) => string | undefined;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

const output = process.stderr;

export const terminal: Ask = {
  confirm: (message) => given((signal) => clack.confirm({ message, initialValue: false, output, signal })),
  text: ({ message, initial, hint, check }) =>
    given((signal) =>
      clack.text({
        message,
        output,
        signal,
        ...(initial !== undefined && { initialValue: initial }),
        ...(hint !== undefined && { placeholder: hint }),
        validate: (answer) => check?.(answer ?? ''),
      }),
    ),
  search: (message, choices) =>
    given((signal) => clack.autocomplete({ message, options: [...choices], maxItems: 8, output, signal })),
};

/**
 * Ctrl-C and Escape at a question stop the command. So does the end of the input (Ctrl-D), of which the question hears
 * nothing: the process would end in the middle.
 */
async function given<T>(
  question: (signal: AbortSignal) => Promise<T | typeof clack.CANCEL_SYMBOL>,
): Promise<Outcome<T>> {
  const ended = new AbortController();
  const stop = (): void => ended.abort();
  process.once('beforeExit', stop);
  const answer = await question(ended.signal);
  process.removeListener('beforeExit', stop);
  return clack.isCancel(answer) ? stopped('stopped; nothing was changed') : ok(answer);
}
