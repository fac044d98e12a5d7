import type { CpuProfile, ProfileNode } from './inspector.ts';
import { filesOfLines } from './readable-bundle.ts';

/**
 * The step of a webhook's trip that a source file belongs to. The longest match counts. A file without a step, such as
 * those of `lib` and of other packages, belongs to whoever calls it.
 */
const STEPS: Readonly<Record<string, string>> = {
  'src/app.ts': 'route the request',
  'src/index.ts': 'route the request',
  'node_modules/hono/': 'route the request',
  'src/config/': 'load the configuration',
  'src/ingest/': 'the trip, elsewhere',
  'src/ingest/request/receive': 'receive',
  'src/ingest/request/verify': 'verify',
  'src/signature/': 'verify',
  'src/ingest/parse/': 'parse',
  'src/ingest/request/identify': 'identify',
  'src/provider/': 'identify',
  'src/ingest/routing/match': 'match',
  'src/template/condition': 'match',
  'src/ingest/routing/': 'render',
  'src/template/': 'render',
  'src/ingest/accept/': 'accept (Worker)',
  'src/ingest/answer': 'answer',
  'src/outbox/': 'outbox, elsewhere',
  'src/outbox/intake': 'commit',
  'src/outbox/accept/': 'commit',
  'src/outbox/schedule': 'wake',
  'src/lib/alarm': 'wake',
  'src/outbox/loop': 'run',
  'src/outbox/commit': 'run',
  'src/outbox/send/timing': 'run',
  'src/outbox/send/pace': 'run',
  'src/outbox/send/claim': 'claim',
  'src/outbox/send/queue': 'claim',
  'src/outbox/send/turns': 'claim',
  'src/outbox/send/flight': 'claim',
  'src/outbox/send/call': 'send',
  'src/gateway/': 'send',
  'src/lib/read-answer': 'send',
  'src/lib/timeout': 'send',
  'src/outbox/send/decide': 'record',
  'src/outbox/send/record': 'record',
  'src/outbox/counters/': 'count',
  'src/outbox/storage/': 'retention and space',
  'src/outbox/notify/': 'notify',
  'src/outbox/tail/': 'tail',
  'src/lib/log': 'log',
  'src/lib/redact': 'log',
  'src/registry/': 'registry',
  'src/admin/': 'admin',
};

/** V8's own, which has no function. */
const RUNTIME: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collector',
  '(program)': 'the runtime itself, outside of JavaScript',
  '(idle)': '(idle)',
  '(root)': 'the runtime, called by nobody',
};

interface Row {
  readonly name: string;
  selfUs: number;
  totalUs: number;
}

/** The results of one profile. */
export interface ProfileReport {
  readonly busyMs: number;
  readonly functions: readonly Row[];
  readonly steps: readonly Row[];
}

/** Sums the samples up. `bundle`: the text of the profiled module, whose comments say which file each line is of. */
export function report({ nodes, samples, timeDeltas }: CpuProfile, bundle: string): ProfileReport {
  const fileOf = filesByLine(bundle);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const stacks = new Map(nodes.map(({ id }) => [id, stackOf(id, byId, parents)]));
  const functions = new Map<string, Row>();
  const steps = new Map<string, Row>();
  let busyUs = 0;
  for (const [index, id] of samples.entries()) {
    // A sample lasts until the next.
    const us = timeDeltas[index + 1] ?? 0;
    const stack = stacks.get(id) ?? [];
    if (stack[0]?.callFrame.functionName === '(idle)') continue;
    busyUs += us;
    add(functions, namesOf(stack, fileOf), us);
    add(steps, stepsOf(stack, fileOf), us);
  }
  return { busyMs: busyUs / 1_000, functions: [...functions.values()], steps: [...steps.values()] };
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

function stepsOf(stack: readonly ProfileNode[], fileOf: FileOf): readonly string[] {
  const found = stack.map((node) => stepOf(fileOf(node))).filter((step) => step !== null);
  if (found.length > 0) return found;
  return [RUNTIME[stack[0]?.callFrame.functionName ?? ''] ?? 'elsewhere'];
}

function stepOf(file: string): string | null {
  const prefix = Object.keys(STEPS)
    .filter((start) => file.startsWith(start))
    .toSorted((a, b) => b.length - a.length)[0];
  return prefix === undefined ? null : (STEPS[prefix] ?? null);
}
