import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changedFiles } from '../../scripts/changed-files.ts';

let root = '';
const at = (path: string): string => join(root, path);
const git = (...args: readonly string[]): unknown =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd: root,
    stdio: 'pipe',
  });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'changed-files-'));
  git('init', '--quiet');
  for (const path of ['deleted.ts', 'edited.ts', 'old-name.ts', 'same.ts'])
    writeFileSync(at(path), `export const path = '${path}';\n`);
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

describe('the files that have changed', () => {
  beforeEach(() => {
    rmSync(at('deleted.ts'));
    renameSync(at('old-name.ts'), at('new-name.ts'));
    writeFileSync(at('edited.ts'), '');
    writeFileSync(at('untracked.ts'), '');
  });

  const changed = ['deleted.ts', 'edited.ts', 'new-name.ts', 'old-name.ts', 'untracked.ts'];

  it('are also those that are deleted, and both names of one that is renamed', () => {
    expect(changedFiles(root, 'HEAD').toSorted()).toEqual(changed);
  });

  it('are the same once they are staged, and since a revision once they are committed', () => {
    git('add', '.');
    expect(changedFiles(root, 'HEAD').toSorted()).toEqual(changed);
    git('commit', '--quiet', '--message', 'second');
    expect(changedFiles(root, 'HEAD')).toEqual([]);
    expect(changedFiles(root, 'HEAD~').toSorted()).toEqual(changed);
  });
});
