import { compileConfig } from '../../src/config/compile.ts';
import { secretNameErrors } from '../../src/config/secret-names.ts';
import { ok } from '../../src/lib/result.ts';
import { failed, type Outcome } from '../failure.ts';
import { runFixtures, type FixtureResult } from '../fixtures/run.ts';
import { count, quoted } from '../text.ts';
import { locate } from './locate.ts';
import { type FolderProblem, showProblem } from './problem.ts';
import { readFolder, type LocalFolder } from './read.ts';
import { findUnknown, withPathOfName, type SourceVariables } from './variables.ts';

/** A folder, and all that can be checked without a relay. Only the relay knows which secrets are set. */
export interface CheckedFolder extends LocalFolder {
  readonly errors: readonly FolderProblem[];
  readonly warnings: readonly FolderProblem[];
  readonly fixtures: readonly FixtureResult[];
  /** The known variables of each source. */
  readonly sources: readonly SourceVariables[];
}

/** Checks the documents as the relay does when they are published, and runs the fixtures. */
export async function checkFolder(folder: string, { fixtures = true } = {}): Promise<Outcome<CheckedFolder>> {
  const local = readFolder(folder);
  if (!local.ok) return local;
  const { set, documents, oddities } = local.value;
  const { config, errors, warnings } = compileConfig(set, 0, Date.now());
  const sources = await findUnknown(folder, config);
  const place = (error: (typeof errors)[number]): FolderProblem => locate(error, documents);
  return ok({
    ...local.value,
    errors: [...errors, ...secretNameErrors(config)]
      .map((error) => withPathOfName(place(error), local.value))
      .sort(byPlace),
    warnings: [...oddities, ...warnings.map(place)].sort(byPlace),
    sources,
    fixtures: fixtures ? await runFixtures(folder, config, Object.keys(set.sources)) : [],
  });
}

export const byPlace = (a: FolderProblem, b: FolderProblem): number =>
  a.file === b.file
    ? (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
    : a.file < b.file
      ? -1
      : 1;

/** Fails when a checked folder must not be published, and says why. */
export function refuseUnlessGood({ folder, errors, fixtures }: CheckedFolder): Outcome {
  const bad = fixtures.filter(({ result }) => result === 'different' || result === 'broken');
  if (errors.length > 0)
    return failed(`${count(errors.length, 'error')} in ${folder}`, { details: errors.map(showProblem) });
  if (bad.length > 0)
    return failed(`${count(bad.length, 'fixture')} of ${folder} ${bad.length === 1 ? 'fails' : 'fail'}`, {
      details: [...bad.map(({ fixture }) => fixture.file), `\`hookbell check ${quoted(folder)}\` shows how`],
    });
  return ok(undefined);
}
