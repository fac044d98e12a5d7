import { describe, expect, it } from 'vitest';
import type { Stream } from '../../cli/io.ts';
import { createOutput } from '../../cli/output.ts';

/** What is written to a stream of this kind. */
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
