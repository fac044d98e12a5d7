/** A value of a tree that is drawn. */
export interface ValueNode {
  readonly is: 'value';
  /** The path as a template writes it. It is the node's identity, too. */
  readonly path: string;
  readonly parent: string | null;
  /** A key, or a place in a list; null: the root. */
  readonly key: string | number | null;
  readonly value: unknown;
  readonly level: number;
  /** From 1, among `of` of the same parent. */
  readonly position: number;
  readonly of: number;
  /** The number of values inside; null: it cannot be opened. */
  readonly size: number | null;
  readonly isOpen: boolean;
}

/** In place of the children of a large value that are not drawn yet. */
interface MoreNode {
  readonly is: 'more';
  readonly path: string;
  readonly parent: string;
  readonly level: number;
  readonly position: number;
  readonly of: number;
  readonly left: number;
}

export type TreeNode = ValueNode | MoreNode;

/** The children of one node that are drawn before somebody asks for more. */
export const DRAWN = 100;
/** The most rows that a tree begins with. */
const FIRST_ROWS = 60;

/** The values inside of a value; null if there are none. */
function childrenOf(value: unknown): readonly (readonly [string | number, unknown])[] | null {
  if (typeof value !== 'object' || value === null) return null;
  const children: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((child: unknown, index) => [index, child] as const)
    : Object.entries(value);
  return children.length === 0 ? null : children;
}

/**
 * The rows of a tree from the top. Values that are not `open` are not examined, however large they are. `drawn`: the number
 * of drawn children of each, if not the default.
 */
export function nodesOf(
  root: string,
  value: unknown,
  open: ReadonlySet<string>,
  drawn: ReadonlyMap<string, number>,
): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  const add = (node: Omit<ValueNode, 'is' | 'size' | 'isOpen'>): void => {
    const children = childrenOf(node.value);
    const isOpen = children !== null && open.has(node.path);
    nodes.push({ ...node, is: 'value', size: children?.length ?? null, isOpen });
    if (!isOpen) return;
    const { path, level } = node;
    const limit = drawn.get(path) ?? DRAWN;
    const of = children.length;
    for (const [index, [key, child]] of children.slice(0, limit).entries())
      add({
        path: childPath(path, key),
        parent: path,
        key,
        value: child,
        level: level + 1,
        position: index + 1,
        of,
      });
    if (of > limit)
      nodes.push({
        is: 'more',
        path: `${path}…`,
        parent: path,
        level: level + 1,
        position: limit + 1,
        of,
        left: of - limit,
      });
  };
  add({ path: root, parent: null, key: null, value, level: 1, position: 1, of: 1 });
  return nodes;
}

/** Returns the nodes that are open at first: the root, then level by level as many as fit into `rows`. */
export function firstOpen(root: string, value: unknown, rows = FIRST_ROWS): ReadonlySet<string> {
  const open = new Set<string>();
  let left = rows;
  let level: (readonly [string, unknown])[] = [[root, value]];
  while (level.length > 0) {
    const next: (readonly [string, unknown])[] = [];
    for (const [path, one] of level) {
      const children = childrenOf(one);
      if (children === null) continue;
      left -= Math.min(children.length, DRAWN);
      // The root is always open: a closed tree says nothing.
      if (left < 0 && path !== root) return open;
      open.add(path);
      for (const [key, child] of children.slice(0, DRAWN)) next.push([childPath(path, key), child]);
    }
    level = next;
  }
  return open;
}

/** Names that Liquid takes after a dot. */
const NAME = /^[A-Za-z_]\w*(-\w+)*$/;

/** The path of a value in `path`, as a template writes it: `payload.items[0].name`, `payload["odd key"]`. */
export const childPath = (path: string, key: string | number): string =>
  typeof key === 'string' && NAME.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
