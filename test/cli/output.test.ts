import { describe, expect, it } from 'vitest';
import type { Stream } from '../../cli/io.ts';
import { createOutput } from '../../cli/output.ts';

/** Returns the text that is written to a stream of this kind. */
function written(kind: Omit<Stream, 'write'>): string {
  let text = '';
  const stdout = { ...kind, write: (more: string) => (text += more) };
  const out = createOutput({ stdout, stderr: stdout, env: { NO_COLOR: '1' } }, false);
  out.fields([
    ['reason', 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen'],
  ]);
  out.table([{ title: 'N' }, { title: 'TEXT', gives: true }], [['1', 'x'.repeat(200)]]);
  return text;
}

/** A problem with a line of a file, as stderr has it. */
function problem(kind: Omit<Stream, 'write'>, colour: string | undefined): string {
  let text = '';
  const stderr = { ...kind, write: (more: string) => (text += more) };
  const env = colour === undefined ? { NO_COLOR: '1' } : { FORCE_COLOR: colour };
  const out = createOutput({ stdout: { write: () => true }, stderr, env }, false);
  out.problem('warning', `a.yaml:1:2: write \`countries: [DE]\` here\n${LINE}\n  write:\n${LINE}`);
  return text;
}

const LINE = `    message: "${'a line of a file '.repeat(5)}"`;

describe('a problem', () => {
  it('is broken at spaces of its sentence, and never inside a line of the file', () => {
    expect(problem({ isTTY: true, columns: 40 }, undefined)).toBe(
      `warning  a.yaml:1:2: write\n  \`countries: [DE]\` here\n${LINE}\n  write:\n${LINE}\n`,
    );
    expect(problem({}, undefined).split('\n')[0]).toBe('warning  a.yaml:1:2: write `countries: [DE]` here');
  });

  it('that is the whole failure is broken likewise', () => {
    let text = '';
    const stderr = { isTTY: true, columns: 40, write: (more: string) => (text += more) };
    const out = createOutput({ stdout: { write: () => true }, stderr, env: { NO_COLOR: '1' } }, false);
    out.fail({ message: `a.yaml:1:2: YAML reads something else here\n${LINE}`, exit: 1 });
    expect(text).toBe(`hookbell: a.yaml:1:2: YAML reads\n  something else here\n${LINE}\n`);
  });

  it('has its kind in colour', () => {
    expect(problem({ isTTY: true, columns: 80 }, '1')).toMatch(
      // oxlint-disable-next-line no-control-regex -- colours are such
      /^\u001b\[33mwarning\u001b\[39m  a\.yaml/,
    );
  });
});

describe('what is printed', () => {
  it('is as wide as the terminal', () => {
    const text = written({ isTTY: true, columns: 40 });
    expect(text).toBe(
      `
reason  one two three four five six
        seven eight nine ten eleven
        twelve thirteen fourteen
N  TEXT
1  ${'x'.repeat(36)}…
`.slice(1),
    );
  });

  it.each([{ isTTY: true }, { isTTY: true, columns: 0 }])('is 80 wide on a terminal that is %j', (kind) => {
    expect(
      Math.max(
        ...written(kind)
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBe(80);
  });

  it('is whole in a pipe: a line for each row and value', () => {
    const lines = written({}).trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[2]).toBe(`1  ${'x'.repeat(200)}`);
  });
});
