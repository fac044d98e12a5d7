import '../facts.ts';
import '../workerd-crypto.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { providerFileErrors } from '../../src/ingest/provider-files.ts';
import { secretNameErrors } from '../../src/config/secrets/named-secrets.ts';
import { ok } from '../../src/lib/result.ts';
import { failed, type CommandResult } from '../failure.ts';
import { runFixtures, type FixtureResult } from '../fixtures/run.ts';
import { count, quoted } from '../text.ts';
import { locate } from './locate.ts';
import { type FolderProblem, showProblem } from './problem.ts';
import { readWhatCan, type LocalFolder } from './read.ts';
import { findUnknown, withPathOfName, type SourceVariables } from './variables.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { isObject, ownValue } from '../../src/lib/json.ts';

/** A folder, and all that can be checked without a relay. Only the relay knows which secrets are set. */
export interface CheckedFolder extends LocalFolder {
  readonly errors: readonly FolderProblem[];
  readonly warnings: readonly FolderProblem[];
  readonly fixtures: readonly FixtureResult[];
  readonly sources: readonly SourceVariables[];
}

export async function checkFolder(
  folder: string,
  { fixtures = true } = {},
): Promise<CommandResult<CheckedFolder>> {
  const local = readWhatCan(folder);
  if (!local.ok) return local;
  const { documents, oddities, problems, set, unread } = local.value;
  // With documents that cannot be read: what names one of them is not wrong.
  const named = unread.reduce<ConfigSet>(
    (sum, { kind, name }) => ({ ...sum, [kind]: { ...sum[kind], [name]: null } }),
    set,
  );
  const { whole, right } = compileRightRoutes(named, Date.now());
  const { config, errors } = whole;
  const sources = await findUnknown(local.value, right.config);
  const ofFiles = await providerFileErrors(set.providers);
  const known = new Set(errors.map(({ path, message }) => `${path} ${message}`));
  const place = (error: (typeof errors)[number]): FolderProblem => locate(error, documents);
  return ok({
    ...local.value,
    errors: [
      ...problems,
      ...[
        ...errors,
        ...ofFiles.filter(({ path, message }) => !known.has(`${path} ${message}`)),
        ...secretNameErrors(config),
      ]
        .filter(({ path }) => !unread.some(({ kind, name }) => path === `${kind}.${name}`))
        .map((error) => withPathOfName(place(error), local.value)),
    ].toSorted(byPlace),
    warnings: [...oddities, ...right.warnings.map(place)].sort(byPlace),
    sources,
    fixtures: fixtures ? await runFixtures(folder, config, Object.keys(named.sources)) : [],
  });
}

export const byPlace = (a: FolderProblem, b: FolderProblem): number =>
  a.file === b.file
    ? (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
    : a.file < b.file
      ? -1
      : 1;

/** Fails when a checked folder must not be published, and says why. */
export function refuseUnlessGood({ folder, errors, fixtures }: CheckedFolder): CommandResult {
  const bad = fixtures.filter(({ result }) => result === 'different' || result === 'broken');
  if (errors.length > 0)
    return failed(`${count(errors.length, 'error')} in ${folder}`, { details: errors.map(showProblem) });
  if (bad.length > 0)
    return failed(`${count(bad.length, 'fixture')} of ${folder} ${bad.length === 1 ? 'fails' : 'fail'}`, {
      details: [...bad.map(({ fixture }) => fixture.file), `\`hookbell check ${quoted(folder)}\` shows how`],
    });
  return ok(undefined);
}

/** The set, and the same without its wrong routes: an error in one hides the warnings about the others. */
function compileRightRoutes(set: ConfigSet, now: number) {
  const whole = compileConfig(set, 0, now);
  const { errors } = whole;
  const kept = new Map<string, readonly number[]>();
  const sources = Object.entries(set.sources).map(([id, source]): readonly [string, unknown] => {
    const routes = ownValue(source, 'routes');
    if (whole.config.sources.has(id) || !isObject(source) || !Array.isArray(routes)) return [id, source];
    const isRight = (at: number): boolean =>
      !errors.some(({ path }) => path.startsWith(`sources.${id}.routes[${at}]`));
    const right = [...routes.keys()].filter(isRight);
    kept.set(id, right);
    return [id, { ...source, routes: right.map((at): unknown => routes[at]) }];
  });
  if (kept.size === 0) return { whole, right: whole };
  const { config, warnings } = compileConfig({ ...set, sources: Object.fromEntries(sources) }, 0, now);
  const hidden = warnings.flatMap((warning) => {
    const [start = '', id = '', at] = /^sources\.([^.]+)\.routes\[(\d+)\]/.exec(warning.path) ?? [];
    const place = kept.get(id)?.[Number(at)];
    return place === undefined
      ? []
      : [{ ...warning, path: `sources.${id}.routes[${place}]${warning.path.slice(start.length)}` }];
  });
  return { whole, right: { config, warnings: [...whole.warnings, ...hidden] } };
}
