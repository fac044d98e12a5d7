import { spawn } from 'node:child_process';
import xterm from '@xterm/headless';
import { endSession, sessionOf } from './session.ts';

/** The width of a screen. */
export const COLUMNS = 80;
const ROWS = 40;
const SCROLLBACK = 100_000;
/** For what never comes; no machine is too slow for it. */
const PATIENCE_MS = 240_000;
/** However a run ends, its terminals do not outlive it for long. */
const LONGEST_S = 900;

const KEYS = { enter: '\r', 'ctrl-c': '\u0003', y: 'y' } as const;

/** A pseudo-terminal, drawn by a terminal emulator: what is asked of it is what a person sees. */
export interface Terminal {
  /** Types a text, without Enter, and waits until it is shown on line `from` or below. */
  type(from: number, text: string): Promise<void>;
  readonly press: (key: keyof typeof KEYS) => void;
  /** The line of the cursor, counted from the first one ever shown. */
  line(): number;
  /** Returns what is shown from a line on, each line in one piece though the screen breaks it. */
  shown(from: number): string;
  /** Resolves when `isThere` holds for what is shown from line `from` on; rejects with what it throws. */
  until(from: number, what: string, isThere: (text: string) => boolean): Promise<void>;
  /** Calls back with the text of each OSC 133, by which a shell says that a command has ended. */
  onMark(listener: (mark: string) => void): void;
  readonly close: () => Promise<void>;
}

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs `command` in a new terminal of 80 columns. */
export function openTerminal(command: string, { cwd, env }: Place): Terminal {
  const screen = new xterm.Terminal({
    cols: COLUMNS,
    rows: ROWS,
    scrollback: SCROLLBACK,
    allowProposedApi: true,
  });
  // `script` gives the program a real terminal; it has no size and no echo of its own, as its own input is not a
  // terminal.
  const size = `stty sane cols ${COLUMNS} rows ${ROWS}; exec ${command}`;
  const limited = ['--kill-after=5', String(LONGEST_S), 'script', '-qfec', size, '/dev/null'];
  const pty = spawn('timeout', limited, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  let hasEnded = false;
  const exited = new Promise<void>((resolve) => {
    pty.once('exit', () => {
      hasEnded = true;
      look();
      resolve();
    });
  });
  // A terminal that has ended loses what is typed into it; whoever waits for it gets an error.
  pty.stdin.on('error', () => undefined);
  const watchers = new Set<() => void>();
  const look = (): void => {
    for (const watcher of watchers) watcher();
  };
  pty.stdout.on('data', (bytes: Uint8Array) => screen.write(bytes, look));
  // The terminal answers a program that asks where the cursor is, say.
  screen.onData((text) => pty.stdin.write(text));

  const shown = (from: number): string => linesOf(screen, from);
  const line = (): number => screen.buffer.active.baseY + screen.buffer.active.cursorY;
  const until: Terminal['until'] = (from, what, isThere) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const check = (): void => {
      try {
        if (isThere(shown(from))) resolve();
        else if (hasEnded) reject(new Error(`the terminal ended before ${what}:\n${shown(from)}`));
      } catch (thrown) {
        reject(thrown);
      }
    };
    // oxlint-disable-next-line no-restricted-globals -- a limit for what never comes
    const tooLate = setTimeout(
      () => reject(new Error(`${what} did not come. The screen:\n${shown(from)}`)),
      PATIENCE_MS,
    );
    watchers.add(check);
    check();
    return promise.finally(() => {
      watchers.delete(check);
      clearTimeout(tooLate);
    });
  };

  return {
    type: async (from, text) => {
      pty.stdin.write(text);
      await until(from, `the echo of \`${text}\``, (all) => all.includes(text.trimEnd()));
    },
    press: (key) => void pty.stdin.write(KEYS[key]),
    line,
    shown,
    until,
    onMark: (listener) => {
      screen.parser.registerOscHandler(133, (mark) => {
        listener(mark);
        return true;
      });
    },
    close: async () => {
      const session = sessionOf(pty.pid ?? 0);
      if (session !== null) endSession(session);
      pty.kill('SIGKILL');
      await exited;
      screen.dispose();
    },
  };
}

/** Each line in one piece, though the screen breaks it. */
function linesOf({ buffer: { active } }: xterm.Terminal, from: number): string {
  const found: string[] = [];
  for (let at = from; at < active.length; at += 1) {
    const line = active.getLine(at);
    const goesOn = active.getLine(at + 1)?.isWrapped === true;
    const text = line?.translateToString(!goesOn) ?? '';
    if (line?.isWrapped === true) found.push(`${found.pop() ?? ''}${text}`);
    else found.push(text);
  }
  return found.join('\n').trimEnd();
}
