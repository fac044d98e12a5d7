import { type Command, InvalidArgumentError } from 'commander';
import { ok } from '../src/lib/result.ts';
import type { Client } from './client.ts';
import { misused, type CommandResult } from './failure.ts';
import type { Io } from './io.ts';
import type { Output } from './output.ts';
import type { Pasting } from './paste.ts';
import type { Tenant } from './tenant/store.ts';

/** The surroundings of a command. */
export interface Cli extends Omit<Io, 'stdout' | 'stderr'>, Pasting {
  readonly out: Output;
  /** The admin API of the relay that was chosen; fails without a token. */
  readonly relay: () => CommandResult<Client>;
  /** Only the relay's address, for commands that do not call it. */
  readonly relayUrl: () => CommandResult<string>;
  /** The tenant that was chosen; null: none was. */
  readonly tenant: CommandResult<Tenant> | null;
  /** The exit code of a command that does not fail, in place of 0. */
  readonly exitWith: (code: number) => void;
}

/** Makes commander's action of a command's handler: failures are shown and become the exit code. */
export type RunCommand = <Args extends readonly unknown[]>(
  handler: (cli: Cli, ...args: Args) => Promise<CommandResult>,
) => (...args: Args) => Promise<void>;

/** Adds a command to the program. */
export type AddCommand = (program: Command, run: RunCommand) => void;

/** A command as a person would type it, with what it does; shown by `--help` and in the docs. */
export type Example = readonly [command: string, what: string];

const examples = new WeakMap<Command, readonly Example[]>();

export function addExamples(command: Command, ...given: readonly Example[]): Command {
  examples.set(command, given);
  return command.addHelpText('after', ({ command: shown }) => {
    const program = rootOf(shown).name();
    const all = given.map(([text, what]) => [calledAs(program, text), what] as const);
    const width = Math.max(...all.map(([text]) => text.length));
    const fits = all.every(([, what]) => width + what.length <= 76);
    const lines = all.map(([text, what]) =>
      fits ? `  ${text.padEnd(width)}  ${what}` : `  ${text}\n      ${what}`,
    );
    return `\nExamples:\n${lines.join('\n')}`;
  });
}

/** An example as a person types it who calls the program by this name; variables may stand before it. */
export const calledAs = (program: string, text: string): string =>
  text.replace(/^((?:[A-Z_]+=\S+ )*)hookbell(?= )/, `$1${program}`);

/** The program: its name is how a person calls it. */
const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

export const examplesOf = (command: Command): readonly Example[] => examples.get(command) ?? [];

/** Parses an option that is a whole number. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };

/** Collects an option that may be given more than once. */
export const several = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

/** Checks whether a change may be made: with `--yes`, or when a person agrees. Fails when nobody can be asked. */
export async function allowed(
  { ask, out }: Cli,
  question: string,
  isYes: boolean,
): Promise<CommandResult<boolean>> {
  if (isYes) return ok(true);
  if (ask === null)
    return misused(`cannot ask "${question}" without a terminal; use --yes to go ahead without asking`);
  out.progressDone();
  return ask.confirm(question);
}
