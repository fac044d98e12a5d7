import { execFileSync } from 'node:child_process';

/**
 * The files that have changed since a revision, untracked ones included, by their paths in the repository at `root`. A
 * deleted file is one of them, and a renamed one is there under both names: whoever imports the old name is to notice.
 */
export function changedFiles(root: string, revision: string): readonly string[] {
  return [
    ...gitLines(root, 'diff', '--name-only', '--no-renames', '--merge-base', revision),
    ...gitLines(root, 'ls-files', '--others', '--exclude-standard'),
  ];
}

/** Returns the lines that a git command prints. */
export const gitLines = (root: string, ...args: readonly string[]): readonly string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
