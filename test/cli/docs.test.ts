import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { examplesOf } from '../../cli/command.ts';
import { allCommands } from '../../cli/commands.ts';
import { createProgram } from '../../cli/program.ts';
import { ROOT } from './support.ts';

it('docs/cli.md is what the commands say', async () => {
  const args = [join(ROOT, 'scripts/cli-docs.ts'), '--check'];
  expect(await promisify(execFile)(process.execPath, args)).toMatchObject({ stderr: '' });
});

it('every command has an example, which names a command', async () => {
  const program = createProgram(() => () => Promise.resolve(), await allCommands());
  const leaves = program.commands.flatMap((one) => (one.commands.length === 0 ? [one] : one.commands));
  for (const command of leaves) {
    const examples = examplesOf(command);
    expect({ command: command.name(), has: examples.length > 0 }).toEqual({
      command: command.name(),
      has: true,
    });
    for (const [text] of examples) expect(text).toContain(command.name());
  }
});
