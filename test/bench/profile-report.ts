import type { CpuProfile, ProfileNode } from './inspector.ts';

interface Row {
  readonly name: string;
  selfUs: number;
  totalUs: number;
}

/** The results of one profile. */
export interface ProfileReport {
  readonly busyMs: number;
  readonly functions: readonly Row[];
}

/** Sums the samples up. `bundle`: the text of the profiled module, whose comments say which file each line is of. */
export function report({ nodes, samples, timeDeltas }: CpuProfile, bundle: string): ProfileReport {
  const files = filesOfLines(bundle);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  /** From the innermost outwards. */
  const stackOf = (id: number | undefined): readonly ProfileNode[] => {
    const node = id === undefined ? undefined : byId.get(id);
    return node === undefined ? [] : [node, ...stackOf(parents.get(node.id))];
  };
  const stacks = new Map(nodes.map(({ id }) => [id, namesOf(stackOf(id), files)]));
  const functions = new Map<string, Row>();
  let busyUs = 0;
  for (const [index, id] of samples.entries()) {
    const names = stacks.get(id) ?? [];
    if (names[0] === '(idle)') continue;
    // A sample lasts until the next.
    const us = timeDeltas[index + 1] ?? 0;
    busyUs += us;
    // The first has the time itself; each other once, however often it is in the stack.
    for (const [depth, name] of [...new Set(names)].entries()) {
      const row = functions.get(name) ?? { name, selfUs: 0, totalUs: 0 };
      functions.set(name, row);
      row.totalUs += us;
      if (depth === 0) row.selfUs += us;
    }
  }
  return { busyMs: busyUs / 1_000, functions: [...functions.values()] };
}

/** The source file of each line of a bundle: esbuild begins each module with a comment that has its path. */
function filesOfLines(bundle: string): readonly string[] {
  let file = '';
  return bundle.split('\n').map((line) => {
    file = /^ *\/\/ ((?:src|node_modules|test)\/\S+)$/.exec(line)?.[1] ?? file;
    return file;
  });
}

/** Shows the runtime's work for a function, such as a statement of SQL, with the name of its caller. */
function namesOf(stack: readonly ProfileNode[], files: readonly string[]): readonly string[] {
  const names = stack.map(({ callFrame: { functionName, lineNumber, url } }) => {
    const isOurs = url !== '' && !/^(?:node|cloudflare)(?:-internal)?:/.test(url);
    const file = isOurs ? (files[lineNumber] ?? url) : url;
    const shown = functionName === '' ? `(anonymous, line ${lineNumber + 1})` : functionName;
    return file === '' ? shown : `${shown} · ${file.replace(/^node_modules\//, '')}`;
  });
  const isNative = stack[0]?.callFrame.url === '' && names[0]?.startsWith('(') === false;
  return isNative ? [`${names[0]} ← ${names[1]}`, ...names] : names;
}
