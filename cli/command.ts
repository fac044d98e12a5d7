import { Command, InvalidArgumentError } from 'commander';
import { ok } from '../src/lib/result.ts';
import type { ApiAnswer, Client } from './client.ts';
import { failed, misused, type CommandResult } from './failure.ts';
import type { Io } from './io.ts';
import type { Output } from './output.ts';
import type { Pasting } from './paste.ts';
import type { Tenant } from './tenant/store.ts';

export interface Cli extends Omit<Io, 'stdout' | 'stderr'>, Pasting {
  readonly out: Output;
  readonly client: Client;
  /** Only the relay's address, for commands that do not call it. */
  readonly relayUrl: () => CommandResult<string>;
  /** The tenant that was chosen; null: none was. */
  readonly tenant: CommandResult<Tenant> | null;
  /** The exit code of a command that does not fail, in place of 0. */
  readonly exitWith: (code: number) => void;
}

type Handler<Args extends readonly unknown[]> = (cli: Cli, ...args: Args) => Promise<CommandResult | void>;

/** Makes commander's action of a command's handler: failures are shown and become the exit code; nothing is a success. */
export type RunCommand = <Args extends readonly unknown[]>(
  handler: Handler<Args>,
) => (...args: Args) => Promise<void>;

/** The options of a command: those with a value, and those without one. */
export type Options<Valued extends string = never, Flags extends string = never> = {
  readonly [name in Valued]?: string;
} & { readonly [name in Flags]?: true };

export type AddCommand = (program: CliCommand) => void;

/** A command as a person would type it, with what it does; shown by `--help` and in the docs. */
type Example = readonly [command: string, what: string];

export class CliCommand extends Command {
  declare readonly commands: readonly CliCommand[];
  readonly #run: RunCommand;
  /** Its examples, with the program called by this name. */
  examplesFor: (program: string) => readonly Example[] = () => [];

  constructor(name: string | undefined, run: RunCommand) {
    super(name);
    this.#run = run;
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name, this.#run);
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each handler has arguments of its own
  run<Args extends readonly unknown[]>(handler: Handler<Args>): this {
    return this.action(this.#run(handler));
  }

  examples(...examples: readonly Example[]): this {
    this.examplesFor = (program) => examples.map(([text, what]) => [calledAs(program, text), what]);
    return this.addHelpText('after', () => {
      const all = this.examplesFor(rootOf(this).name());
      const width = Math.max(...all.map(([text]) => text.length));
      const fits = all.every(([, what]) => width + what.length <= 76);
      const lines = all.map(([text, what]) =>
        fits ? `  ${text.padEnd(width)}  ${what}` : `  ${text}\n      ${what}`,
      );
      return `\nExamples:\n${lines.join('\n')}`;
    });
  }
}

/** An example as a person types it who calls the program by this name; variables may stand before it. */
const calledAs = (program: string, text: string): string =>
  text.replace(/^((?:[A-Z_]+=\S+ )*)hookbell(?= )/, `$1${program}`);

/** The program: its name is how a person calls it. */
const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };

export const several = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

/** Fails unless a change may be made: with `--yes`, or when a person agrees. `otherwise`: what a person who does not is told. */
export async function agreed(
  { ask, out }: Pick<Cli, 'ask' | 'out'>,
  question: string,
  isYes: boolean,
  otherwise: string,
): Promise<CommandResult> {
  if (isYes) return ok(undefined);
  if (ask === null)
    return misused(`cannot ask "${question}" without a terminal; use --yes to go ahead without asking`);
  out.progressDone();
  const may = await ask.confirm(question);
  if (!may.ok) return may;
  return may.value ? ok(undefined) : failed(otherwise);
}

/** Shows an answer of the relay: as JSON, or to a person. */
export async function showAnswer<T>(
  { out }: Pick<Cli, 'out'>,
  asked: Promise<CommandResult<ApiAnswer<T>>>,
  human: (answer: T, out: Output) => void,
): Promise<CommandResult | void> {
  const answer = await asked;
  if (!answer.ok) return answer;
  out.show(answer.value.json, () => human(answer.value.data, out));
}
