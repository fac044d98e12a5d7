import type { CpuProfile, ProfileNode } from './inspector.ts';
import { filesOfLines } from './readable-bundle.ts';

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
  const fileOf = filesByLine(bundle);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const stacks = new Map(nodes.map(({ id }) => [id, stackOf(id, byId, parents)]));
  const functions = new Map<string, Row>();
  let busyUs = 0;
  for (const [index, id] of samples.entries()) {
    // A sample lasts until the next.
    const us = timeDeltas[index + 1] ?? 0;
    const stack = stacks.get(id) ?? [];
    if (stack[0]?.callFrame.functionName === '(idle)') continue;
    busyUs += us;
    add(functions, namesOf(stack, fileOf), us);
  }
  return { busyMs: busyUs / 1_000, functions: [...functions.values()] };
}

/** From the innermost outwards. */
function stackOf(
  id: number,
  byId: ReadonlyMap<number, ProfileNode>,
  parents: ReadonlyMap<number, number>,
): readonly ProfileNode[] {
  const stack: ProfileNode[] = [];
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const node = byId.get(at);
    if (node !== undefined) stack.push(node);
  }
  return stack;
}

/** The first name has the time itself; each other once, however often it is in the stack. */
function add(rows: Map<string, Row>, names: readonly string[], us: number): void {
  for (const [index, name] of [...new Set(names)].entries()) {
    const row = rows.get(name) ?? { name, selfUs: 0, totalUs: 0 };
    rows.set(name, row);
    row.totalUs += us;
    if (index === 0) row.selfUs += us;
  }
}

type FileOf = (node: ProfileNode) => string;

function filesByLine(bundle: string): FileOf {
  const files = filesOfLines(bundle);
  return ({ callFrame: { url, lineNumber } }) => {
    const isOurs = url !== '' && !/^(?:node|cloudflare)(?:-internal)?:/.test(url);
    return isOurs ? (files[lineNumber] ?? url) : url;
  };
}

/** Shows the runtime's work for a function, such as a statement of SQL, with the name of its caller. */
const namesOf = (stack: readonly ProfileNode[], fileOf: FileOf): readonly string[] => {
  const names = stack.map((node) => nameOf(node, fileOf));
  const isNative = stack[0]?.callFrame.url === '' && names[0]?.startsWith('(') === false;
  return isNative ? [`${names[0]} ← ${names[1]}`, ...names] : names;
};

const nameOf = (node: ProfileNode, fileOf: FileOf): string => {
  const { functionName, lineNumber } = node.callFrame;
  const file = fileOf(node);
  const shown = functionName === '' ? `(anonymous, line ${lineNumber + 1})` : functionName;
  return file === '' ? shown : `${shown} · ${file.replace(/^node_modules\//, '')}`;
};
