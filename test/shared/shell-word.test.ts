import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from '../../shared/shell-word.ts';

it.each(['a', "it's", '$HOME `x` "y" \\\\', "''", 'two\nlines', ''])('a shell reads %j as it is', (text) => {
  expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`]).toString()).toBe(text);
});
