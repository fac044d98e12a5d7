import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ifStale } from '../../scripts/files.ts';
import { folderWith } from '../cli/offline.ts';

it('a build is made again after a source was saved, also one that was saved while it ran, and else not', async () => {
  const root = folderWith({ 'a.ts': '' });
  const source = join(root, 'a.ts');
  const made: string[] = [];
  const build = (name: string, meanwhile = ''): Promise<void> =>
    ifStale(root, { made: 'made', sources: ['*.ts'] }, () => {
      made.push(name);
      writeFileSync(join(root, 'made'), '');
      if (meanwhile !== '') writeFileSync(source, meanwhile);
    });
  utimesSync(source, 1, 1);
  await build('first', 'saved meanwhile');
  await build('second');
  utimesSync(source, 1, 1);
  await build('third');
  expect(made).toEqual(['first', 'second']);
});
