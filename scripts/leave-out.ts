import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type Class, type Node, parse } from 'acorn';
import type { Plugin } from 'esbuild';
import * as z from 'zod/mini';
import { UNREACHED } from './unreached.ts';

const LIBRARIES = join(import.meta.dirname, '../node_modules');

/** What is left of a function: it is never called, and if it is after all, nobody goes on with a wrong result. */
const REFUSAL = '{throw Error("left out of the bundle")}';

/** The names that are left out, by the path of the file that has them. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  UNREACHED.flatMap(({ library, files }) =>
    Object.entries(files).map(([file, reasons]) => [
      join(LIBRARIES, library, file),
      Object.values(reasons).flatMap((names) => names.trim().split(/\s+/)),
    ]),
  ),
);

/** For esbuild: libraries without what `unreached.ts` names. */
export const leaveOutUnreached: Plugin = {
  name: 'leave-out-unreached',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/ }, ({ path }) =>
      NAMES.has(path) ? { contents: withoutUnreached(readFileSync(path, 'utf8'), path), loader: 'js' } : null,
    );
  },
};

/** The code of a library's file without what no request reaches; any other file's code as it is. */
export function withoutUnreached(code: string, path: string): string {
  const names = NAMES.get(path);
  if (names === undefined) return code;
  for (const { library, version } of UNREACHED)
    if (path.startsWith(join(LIBRARIES, library) + sep)) requireVersion(library, version);
  return leaveOut(code, names);
}

function requireVersion(library: string, version: string): void {
  const manifest = z.object({ version: z.string() });
  const found = manifest.parse(JSON.parse(readFileSync(join(LIBRARIES, library, 'package.json'), 'utf8')));
  if (found.version === version) return;
  throw new Error(
    `${library} is ${found.version}, and scripts/unreached.ts was written for ${version}: look whether no request reaches what it names there, then write the new version there`,
  );
}

/**
 * A module's code without the functions, classes and methods of these names (`name`, `Class.method`, which is each
 * method of that name, static or not, and each arrow function that is a property): a function only refuses, a class has
 * no members, a method is not there. An arrow function with statements is a function. All else
 * stays on its line, so that a map of the module remains true. Throws for a name that the module does not have.
 */
export function leaveOut(code: string, names: readonly string[]): string {
  const parts = partsOf(code);
  const missing = names.filter((name) => !parts.some((part) => part.name === name));
  if (missing.length > 0) throw new Error(`cannot leave out what is not there: ${missing.join(', ')}`);
  // From the end, so that places before it remain true.
  return parts
    .filter(({ name }) => names.includes(name))
    .toReversed()
    .reduce((left, { start, end, instead }) => {
      const lines = left.slice(start, end).replaceAll(/[^\n]/g, '');
      return left.slice(0, start) + instead + lines + left.slice(end);
    }, code);
}

interface Part {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly instead: string;
}

/** What can be left out of a module, in the order in which it is there. */
function partsOf(code: string): readonly Part[] {
  return parse(code, { ecmaVersion: 'latest', sourceType: 'module' }).body.flatMap((statement) => {
    const isExport =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration';
    const declared = isExport ? statement.declaration : statement;
    if (declared?.type === 'FunctionDeclaration')
      return [part(declared.id?.name ?? 'default', declared.body, REFUSAL)];
    if (declared?.type === 'ClassDeclaration' && declared.id) return partsOfClass(declared.id.name, declared);
    if (declared?.type !== 'VariableDeclaration') return [];
    return declared.declarations.flatMap(({ id, init }) => {
      if (id.type !== 'Identifier') return [];
      if (init?.type === 'ClassExpression') return partsOfClass(id.name, init);
      const isArrow = init?.type === 'ArrowFunctionExpression' && init.body.type === 'BlockStatement';
      return isArrow ? [part(id.name, init.body, REFUSAL)] : [];
    });
  });
}

function partsOfClass(name: string, { body }: Class): readonly Part[] {
  const methods = body.body.flatMap((member) =>
    (member.type === 'MethodDefinition' ||
      (member.type === 'PropertyDefinition' && member.value?.type === 'ArrowFunctionExpression')) &&
    (member.key.type === 'Identifier' || member.key.type === 'PrivateIdentifier') &&
    !member.computed
      ? [part(`${name}.${member.key.name}`, member, '')]
      : [],
  );
  return [part(name, body, '{}'), ...methods];
}

const part = (name: string, { start, end }: Node, instead: string): Part => ({ name, start, end, instead });
