import type { Output } from '../output.ts';
import { showProblem, type FolderProblem } from './problem.ts';
import type { LocalDocument } from './read.ts';
import { together } from './together.ts';

/** Shows warnings about the documents of a folder, one for all routes that share it. */
export function showWarnings(
  out: Output,
  warnings: readonly FolderProblem[],
  documents: readonly LocalDocument[],
): void {
  const sourceOf = (file: string) => documents.find((one) => one.kind === 'sources' && one.file === file);
  for (const warning of together(warnings, sourceOf)) out.problem('warning', showProblem(warning));
}
