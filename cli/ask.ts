import { styleText } from 'node:util';
import * as clack from '@clack/prompts';
import { ok } from '../src/lib/result.ts';
import { stopped, type CommandResult } from './failure.ts';
import { STANDARD_COLUMNS, wrapSentence } from './text.ts';

/** Questions to a person on a terminal. They are shown on stderr, so that stdout has only results. */
export interface Ask {
  confirm(message: string): Promise<CommandResult<boolean>>;
  text(question: {
    readonly message: string;
    /** The answer of Enter alone: it is shown in grey, and typing replaces it. */
    readonly initial?: string;
    /** Returns the error of an answer; undefined: none. */
    readonly check?: (answer: string) => string | undefined;
  }): Promise<CommandResult<string>>;
  /** One of a long list, found by typing part of it. */
  search(message: string, choices: readonly Choice[]): Promise<CommandResult<string>>;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

const output = process.stderr;
const columns = (): number => output.columns || STANDARD_COLUMNS;

/** The width of a question's line at the left, with its gap. */
const GUIDE = 3;

/** A question in lines that a terminal does not break, with the line at the left before each but the first. */
export const barred = (message: string, wide: number): string =>
  wrapSentence(message, wide - GUIDE).join(`\n${styleText('gray', clack.S_BAR)}  `);

export const terminal: Ask = {
  confirm: (message) =>
    given((signal) =>
      // It puts the line at the left before each of its lines itself.
      clack.confirm({
        message: wrapSentence(message, columns() - 2 * GUIDE).join('\n'),
        initialValue: false,
        output,
        signal,
      }),
    ),
  text: ({ message, initial = '', check }) =>
    given((signal) =>
      clack.text({
        message: barred(message, columns()),
        output,
        signal,
        placeholder: initial,
        defaultValue: initial,
        validate: (answer) => {
          const wrong = check?.(answer || initial);
          return wrong && wrapSentence(wrong, columns() - GUIDE).join(`\n${' '.repeat(GUIDE)}`);
        },
      }),
    ),
  search: (message, choices) =>
    given((signal) =>
      clack.autocomplete({
        message: barred(message, columns()),
        options: [...choices],
        maxItems: 8,
        output,
        signal,
      }),
    ),
};

/** Ctrl-C and Escape at a question stop the command. So does Ctrl-D, which the question itself does not notice. */
async function given<T>(
  question: (signal: AbortSignal) => Promise<T | typeof clack.CANCEL_SYMBOL>,
): Promise<CommandResult<T>> {
  const ended = new AbortController();
  const stop = (): void => ended.abort();
  process.once('beforeExit', stop);
  const answer = await question(ended.signal);
  process.removeListener('beforeExit', stop);
  return clack.isCancel(answer) ? stopped('stopped; nothing was changed') : ok(answer);
}
