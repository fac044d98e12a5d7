import { expect, it } from 'vitest';
import type { Env, Stream } from '../../cli/io.ts';
import { createOutput, type Output } from '../../cli/output.ts';
import { widest } from './offline.ts';

/** The text that is written to streams of this kind. */
function written(
  write: (out: Output) => void,
  kind: Omit<Stream, 'write'>,
  env: Env = { NO_COLOR: '1' },
): string {
  let text = '';
  const stream = { ...kind, write: (more: string) => (text += more) };
  write(createOutput({ stdout: stream, stderr: stream, env }, false));
  return text;
}

const LINE = `    message: "${'a line of a file '.repeat(5)}"`;
const PROBLEM = `a.yaml:1:2: write \`countries: [DE]\` here\n${LINE}\n  write:\n${LINE}`;
const NARROW = { isTTY: true, columns: 40 };

const warn = (out: Output) => out.problem('warning', PROBLEM);

it('a problem is broken at spaces of its sentence, and never inside a line of the file', () => {
  expect(written(warn, NARROW)).toBe(
    `warning  a.yaml:1:2: write\n  \`countries: [DE]\` here\n${LINE}\n  write:\n${LINE}\n`,
  );
  expect(written(warn, {}).split('\n')[0]).toBe('warning  a.yaml:1:2: write `countries: [DE]` here');
  const message = `a.yaml:1:2: YAML reads something else here\n${LINE}`;
  expect(written((out) => out.fail({ message, exit: 1 }), NARROW)).toBe(
    `hookbell: a.yaml:1:2: YAML reads\n  something else here\n${LINE}\n`,
  );
});

const reason = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen';
const print = (out: Output): void => {
  out.fields([['reason', reason]]);
  out.table([{ title: 'N' }, { title: 'TEXT', gives: true }], [['1', 'x'.repeat(200)]]);
};

it('what is printed is as wide as the terminal, or 80 wide where that does not say', () => {
  expect(written(print, NARROW)).toBe(
    `
reason  one two three four five six
        seven eight nine ten eleven
        twelve thirteen fourteen
N  TEXT
1  ${'x'.repeat(36)}…
`.slice(1),
  );
  expect(widest(written(print, { isTTY: true }))).toBe(80);
  expect(widest(written(print, { isTTY: true, columns: 0 }))).toBe(80);
});

it('what is printed is whole in a pipe: a line for each row and value', () => {
  const lines = written(print, {}).trimEnd().split('\n');
  expect(lines).toEqual([`reason  ${reason}`, 'N  TEXT', expect.stringMatching(/^1 {2}x{200}$/)]);
});
