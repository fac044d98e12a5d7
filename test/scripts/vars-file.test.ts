import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDevVars } from '../../cli/dev/start.ts';
import { writeVarsFile } from '../../scripts/vars-file.ts';

describe('a file of variables', () => {
  it.runIf(process.platform !== 'win32')(
    'can be read by its user only, and is gone once it is removed',
    () => {
      const { file, remove } = writeVarsFile({ NAME: 'a value' });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
      expect(readFileSync(file, 'utf8')).toBe("NAME='a value'\n");
      remove();
      expect(existsSync(file)).toBe(false);
    },
  );

  it.each(["both ' and `", 'a backslash at its end\\'])(
    'is not written with a value that it cannot hold: %s',
    (value) => {
      expect(() => writeVarsFile({ NAME: value })).toThrow('NAME cannot be passed on');
    },
  );
});

describe('.dev.vars', () => {
  it('is read as it is meant; what is empty there is not set', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hookbell-vars-'));
    const file = join(folder, '.dev.vars');
    writeFileSync(file, '# mine\nA="one two"\nB=\nC=three\n');
    expect(readDevVars(file)).toEqual({ A: 'one two', C: 'three' });
    rmSync(folder, { recursive: true });
  });

  it('need not be there', () => {
    expect(readDevVars(join(tmpdir(), 'no-such-folder', '.dev.vars'))).toEqual({});
  });
});
