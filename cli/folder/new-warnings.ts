import '../facts.ts';
import { compileConfig } from '../../src/config/compile.ts';
import type { FieldError } from '../../src/lib/problem.ts';
import type { VersionComparison } from '../diff/versions.ts';
import type { Output } from '../output.ts';
import { showProblem } from './problem.ts';
import { inNoFile, together } from './together.ts';

/** Shows the warnings about a version that the version before it has not, too. */
export function showNewWarnings(
  out: Output,
  warnings: readonly FieldError[],
  { before, after }: Pick<VersionComparison, 'before' | 'after'>,
): void {
  const known = new Set(compileConfig(before, 0, Date.now()).warnings.map(keyOf));
  const fresh = warnings.filter((one) => !known.has(keyOf(one))).map(inNoFile);
  const sourceOf = (file: string) => {
    const name = file.replace('sources/', '');
    return Object.hasOwn(after.sources, name) ? { name, value: after.sources[name] } : undefined;
  };
  for (const warning of together(fresh, sourceOf)) out.problem('warning', showProblem(warning));
}

const keyOf = ({ path, message }: FieldError): string => JSON.stringify([path, message]);
