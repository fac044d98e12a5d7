/** The command line as a process of its own: what `bin/hookbell.mjs` runs. */
import './node20.ts';
import { readFileSync } from 'node:fs';
import { listenForInterrupt } from './interrupt.ts';
import { main } from './main.ts';
import { createOutput } from './output.ts';

const { argv, env, stdout, stderr, stdin } = process;

// `hookbell events | head` closes the pipe early; that is not an error.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await main(argv.slice(2), {
  stdout,
  stderr,
  env,
  readStdin: () => readFileSync(0, 'utf8'),
  interrupt: listenForInterrupt((message) => createOutput({ stdout, stderr, env }, false).note(message)),
  ask: stdin.isTTY && stderr.isTTY ? (await import('./ask.ts')).terminal : null,
});
