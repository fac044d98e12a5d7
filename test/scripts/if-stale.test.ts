import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ifStale } from '../../scripts/if-stale.ts';

const save = (file: string): void => writeFileSync(file, '');

it('a build is made again after a source was saved, also one that was saved while it ran, and else not', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hookbell-stale-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [source, made] = [join(root, 'a.ts'), join(root, 'made')];
  const isBuilt = async (meanwhile: () => void = () => undefined): Promise<boolean> => {
    let builds = 0;
    await ifStale(root, { made: 'made', sources: ['*.ts'] }, () => {
      builds += 1;
      meanwhile();
      save(made);
    });
    return builds === 1;
  };
  save(source);
  utimesSync(source, 1, 1);
  expect([await isBuilt(), await isBuilt()]).toEqual([true, false]);
  utimesSync(made, 0, 0);
  expect([await isBuilt(() => save(source)), await isBuilt()]).toEqual([true, true]);
});
