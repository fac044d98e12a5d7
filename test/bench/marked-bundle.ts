import { parse, type AnyNode, type Function } from 'acorn';
import { filesOfLines } from './readable-bundle.ts';

/** The path where the marked Worker lists the files whose functions were called since the last request for the list. */
export const FILES_PATH = '/files-run';

const SET = 'globalThis.filesRun';

/** The bundle, which notes at the beginning of each function that its file was run. */
export function markedBundle(bundle: string): string {
  const files = filesOfLines(bundle);
  const inserts: (readonly [at: number, text: string])[] = [];
  visit(parse(bundle, { ecmaVersion: 'latest', sourceType: 'module', locations: true }), (node) => {
    const file = files[(node.loc?.start.line ?? 1) - 1] ?? '';
    if (!file.startsWith('src/')) return;
    const mark = `${SET}.add(${JSON.stringify(file)})`;
    const { start, end, type } = node.body;
    if (type === 'BlockStatement') inserts.push([start + 1, `${mark};`]);
    else inserts.push([start, `(${mark}, `], [end, ')']);
  });
  let marked = `${SET} = new Set();\n`;
  let from = 0;
  for (const [at, text] of inserts.toSorted(([one], [other]) => one - other)) {
    marked += bundle.slice(from, at) + text;
    from = at;
  }
  return listing(marked + bundle.slice(from));
}

/** Its `fetch` answers at {@link FILES_PATH} as well. */
function listing(bundle: string): string {
  const [exported, worker] = /(\S+) as default/.exec(bundle) ?? [];
  if (exported === undefined) throw new Error('the bundle has no default export');
  return `${bundle.replace(exported, 'listing as default')}
const listing = {
  ...${worker},
  fetch(request, env, ctx) {
    if (!request.url.endsWith('${FILES_PATH}')) return ${worker}.fetch(request, env, ctx);
    const files = [...${SET}];
    ${SET}.clear();
    return Response.json(files);
  },
};
`;
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'ArrowFunctionExpression',
  'FunctionDeclaration',
  'FunctionExpression',
]);

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const isFunction = (node: AnyNode): node is Function & AnyNode => FUNCTIONS.has(node.type);

function visit(node: AnyNode, onFunction: (node: Function) => void): void {
  if (isFunction(node)) onFunction(node);
  for (const value of Object.values(node).flat()) if (isNode(value)) visit(value, onFunction);
}
