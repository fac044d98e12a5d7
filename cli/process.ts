/** The command line as a process of its own: what `bin/hookbell.mjs` runs. */
import './node20.ts';
import { readFileSync } from 'node:fs';
import type { Interrupt } from './io.ts';
import { main } from './main.ts';
import { createOutput } from './output.ts';

const { argv, env, stdout, stderr, stdin } = process;

// `hookbell events | head` closes the pipe early; that is not an error.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

/** Signals within this time count once: a terminal sends Ctrl-C to every process, and npm may pass it on, too. */
const SAME_PRESS_MS = 300;

/** Exit codes by signal: 128 and the signal's number. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

function listenForInterrupt(say: (message: string) => void): Interrupt {
  const handlers: (() => void)[] = [];
  let last = -Infinity;
  let exitCode: number = EXIT_CODES.SIGINT;
  const leave = (message?: string): never => {
    if (message !== undefined) say(message);
    process.exit(exitCode);
  };
  for (const [signal, code] of Object.entries(EXIT_CODES)) {
    process.on(signal, () => {
      const now = performance.now();
      if (now - last < SAME_PRESS_MS) return;
      last = now;
      exitCode = code;
      const handler = handlers.at(-1);
      if (handler === undefined) leave();
      else handler();
    });
  }
  return {
    leave,
    handle: (handler) => {
      handlers.push(handler);
      return () => {
        const at = handlers.lastIndexOf(handler);
        if (at >= 0) handlers.splice(at, 1);
      };
    },
  };
}

process.exitCode = await main(argv.slice(2), {
  stdout,
  stderr,
  env,
  readStdin: () => readFileSync(0, 'utf8'),
  interrupt: listenForInterrupt((message) => createOutput({ stdout, stderr, env }, false).note(message)),
  ask: stdin.isTTY && stderr.isTTY ? (await import('./ask.ts')).terminal : null,
});
