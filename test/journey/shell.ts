import { openTerminal, type Terminal } from './terminal.ts';

/** A shell in a terminal, and a person who types into it. */
export interface Shell {
  /** Types a command, perhaps of several lines, and Enter. */
  begin(command: string): Promise<void>;
  /** Waits for some words that the running command shows. */
  sees(words: string): Promise<void>;
  /** The same for words that are shown several times. */
  seesTimes(words: string, times: number): Promise<void>;
  /** Waits until some words are not shown any more. */
  seesNo(words: string): Promise<void>;
  /**
   * Answers a question of the running command, once `words` of it are shown, in place of the likely answer. Null: by
   * that.
   */
  answers(words: string, text: string | null): Promise<void>;
  /** Types into the running command, without Enter. */
  types(text: string): Promise<void>;
  /** Says yes to a question of the running command. */
  agrees(words: string): Promise<void>;
  press: Terminal['press'];
  /** True while a command runs. */
  isBusy(): boolean;
  /** Waits until the command has ended, and returns its exit code. */
  ended(): Promise<number>;
  /** All that is shown since the last command was typed, that command first. */
  screen(): string;
  close(): Promise<void>;
}

const PROMPT = '$ ';

const BASH = 'bash --noprofile --norc -i';
/** At the end of each command: its exit code, as terminals that mark commands expect it, and nothing to see. */
const SAY_EXIT = String.raw`printf '\e]133;D;%s\a' $?`;

/** Opens a terminal with a shell in it. `env`: all of the shell's environment. */
export async function openShell(cwd: string, env: Readonly<Record<string, string>>): Promise<Shell> {
  const terminal = openTerminal(BASH, {
    cwd,
    env: { ...env, PS1: PROMPT, PS2: '> ', PROMPT_COMMAND: SAY_EXIT },
  });
  const exits: number[] = [];
  terminal.onMark((mark) => {
    const [, code] = /^D;(\d+)$/.exec(mark) ?? [];
    if (code !== undefined) exits.push(Number(code));
  });
  let from = 0;
  let before = 0;
  const isPrompt = (text: string): boolean => exits.length > before && text.endsWith('$');
  await terminal.until(0, 'the prompt of the shell', isPrompt);

  /** A command that has ended shows nothing more. */
  const seesTimes = (words: string, times: number): Promise<void> =>
    terminal.until(from, `“${words}”`, (text) => {
      if (text.split(words).length > times) return true;
      if (isPrompt(text)) throw new Error(`the command ended without “${words}”:\n${text}`);
      return false;
    });

  const sees = (words: string): Promise<void> => seesTimes(words, 1);

  return {
    begin: async (command) => {
      from = terminal.line();
      before = exits.length;
      for (const line of command.split('\n')) {
        await terminal.type(terminal.line(), line);
        terminal.press('enter');
      }
    },
    sees,
    seesNo: (words) => terminal.until(from, `a screen without “${words}”`, (text) => !text.includes(words)),
    seesTimes,
    answers: async (words, text) => {
      await sees(words);
      if (text !== null) await terminal.type(from, text);
      terminal.press('enter');
    },
    types: (text) => terminal.type(from, text),
    agrees: async (words) => {
      await sees(words);
      terminal.press('y');
    },
    press: terminal.press,
    isBusy: () => !isPrompt(terminal.shown(from)),
    ended: async () => {
      await terminal.until(from, 'the end of the command', isPrompt);
      return exits.at(-1) ?? NaN;
    },
    screen: () => terminal.shown(from).replace(/\n?\$$/, ''),
    close: terminal.close,
  };
}
