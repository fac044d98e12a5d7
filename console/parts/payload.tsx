import { useMemo, useRef, useState } from 'preact/hooks';
import type { EventDetail } from '../api/types.ts';
import { number } from '../lib/format.ts';
import { t } from '../texts/texts.ts';
import { Button, Copy, Panel } from '../ui/basics.tsx';
import { Icon } from '../ui/icon.tsx';
import { useSession } from '../ui/session.tsx';
import { toast } from '../ui/toast.tsx';

/** The part of the raw text that is drawn, in UTF-16 units. All of it can be copied. */
const RAW_SHOWN = 100_000;

export function PayloadPanel({ event }: { event: EventDetail }) {
  const seesPayloads = useSession().sees_payloads;
  if (event.stored && seesPayloads) return <Payload event={event} />;
  return (
    <Panel title={t.events.payload}>
      <p class="soft">{event.stored ? t.common.hidden : t.events.notStored}</p>
    </Panel>
  );
}

function Payload({ event: { payload, headers, query } }: { event: EventDetail }) {
  const [view, setView] = useState('tree');
  const views = [
    ['tree', <PayloadTree root="payload" value={payload} />],
    ['raw', <Raw payload={payload} />],
    ['headers', Object.keys(headers ?? {}).length > 0 && <PayloadTree root="headers" value={headers} />],
    ['query', Object.keys(query ?? {}).length > 0 && <PayloadTree root="query" value={query} />],
  ] as const;
  return (
    <Panel
      title={t.events.payload}
      aside={
        <div class="line choices" role="group" aria-label={t.events.views.label}>
          {views.map(
            ([one, content]) =>
              content && (
                <button key={one} type="button" aria-pressed={one === view} onClick={() => setView(one)}>
                  {t.events.views[one]}
                </button>
              ),
          )}
        </div>
      }
    >
      {views.find(([one]) => one === view)?.[1]}
    </Panel>
  );
}

function Raw({ payload }: { payload: unknown }) {
  const [isWhole, setWhole] = useState(false);
  const text = JSON.stringify(payload, null, 2);
  const isCut = !isWhole && text.length > RAW_SHOWN;
  return (
    <>
      <Copy text={text} label={t.events.copyRaw}>
        <span class="soft">{t.events.copyRaw}</span>
      </Copy>
      {/* It scrolls, so the keyboard must be able to get into it. */}
      <pre class="events-raw" tabIndex={0} aria-label={t.events.views.raw}>
        {isCut ? text.slice(0, RAW_SHOWN) : text}
      </pre>
      {isCut && <Button onClick={() => setWhole(true)}>{t.events.tree.all(number(text.length))}</Button>}
    </>
  );
}

/** The part of a long text that is shown until somebody asks for all of it, in UTF-16 units. */
const SHOWN_TEXT = 240;

/**
 * JSON as a tree. Only open values are drawn; the arrow keys move in it, and each value can copy its path. `root`: its name
 * in a template, such as `payload`.
 */
function PayloadTree({ root, value }: { root: string; value: unknown }) {
  const [open, setOpen] = useState(() => firstOpen(root, value));
  const [drawn, setDrawn] = useState<ReadonlyMap<string, number>>(() => new Map());
  const [whole, setWhole] = useState<ReadonlySet<string>>(() => new Set());
  const [active, setActive] = useState(root);
  const tree = useRef<HTMLDivElement>(null);
  const nodes = useMemo(() => nodesOf(root, value, open, drawn), [root, value, open, drawn]);

  const shownActive = nodes.some(({ path }) => path === active) ? active : root;
  const focus = (path: string | undefined): void => {
    if (path === undefined) return;
    setActive(path);
    requestAnimationFrame(() => tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus());
  };
  const toggle = (path: string): void => setOpen((old) => toggled(old, path));
  const press = (node: TreeNode): void => {
    if (node.is === 'more') {
      setDrawn((old) => new Map(old).set(node.parent, (old.get(node.parent) ?? DRAWN) + DRAWN));
      // The row that was pressed is gone.
      setActive(node.parent);
    } else if (node.size !== null) toggle(node.path);
    else if (isLong(node.value)) setWhole((old) => toggled(old, node.path));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = nodes.findIndex(({ path }) => path === shownActive);
    const node = nodes[at];
    if (node !== undefined && act(event.key, node, at)) event.preventDefault();
  };
  const act = (key: string, node: TreeNode, at: number): boolean => {
    const canOpen = node.is === 'value' && node.size !== null;
    if (key === 'ArrowDown') focus(nodes[at + 1]?.path);
    else if (key === 'ArrowUp') focus(nodes[at - 1]?.path);
    else if (key === 'Home') focus(nodes[0]?.path);
    else if (key === 'End') focus(nodes.at(-1)?.path);
    else if (key === 'ArrowRight' && canOpen) {
      if (node.isOpen) focus(nodes[at + 1]?.path);
      else toggle(node.path);
    } else if (key === 'ArrowLeft') {
      if (canOpen && node.isOpen) toggle(node.path);
      else focus(node.parent ?? undefined);
    } else if (key === 'Enter' || key === ' ') press(node);
    else if (key === 'c' && node.is === 'value') void copyPath(node.path);
    else return false;
    return true;
  };
  return (
    <>
      <div class="tree" role="tree" aria-label={t.events.payload} ref={tree} onKeyDown={onKeyDown}>
        {nodes.map((node) => (
          <div
            key={node.path}
            class="tree-row"
            role="treeitem"
            aria-level={node.level}
            aria-setsize={node.of}
            aria-posinset={node.position}
            aria-expanded={node.is === 'value' && node.size !== null ? node.isOpen : undefined}
            tabIndex={node.path === shownActive ? 0 : -1}
            style={{ '--level': Math.min(node.level, 14) - 1 }}
            onFocus={() => setActive(node.path)}
            onClick={() => press(node)}
          >
            {node.is === 'more' ? (
              <span class="tree-more">
                {t.events.tree.more(number(Math.min(node.left, DRAWN)), number(node.left))}
              </span>
            ) : (
              <Node node={node} isWhole={whole.has(node.path)} />
            )}
          </div>
        ))}
      </div>
      <p class="above help">{t.events.tree.help}</p>
    </>
  );
}

const Node = ({ node, isWhole }: { node: ValueNode; isWhole: boolean }) => (
  <>
    <span class="tree-mark">{node.size !== null && <Icon name="chevron" />}</span>
    <span class="tree-text">
      <span class="tree-key">{node.key ?? node.path}</span>
      <Value node={node} isWhole={isWhole} />
    </span>
    <button
      type="button"
      class="tree-copy"
      tabIndex={-1}
      aria-label={t.events.tree.copyPath(node.path)}
      title={node.path}
      onClick={(event) => {
        event.stopPropagation();
        void copyPath(node.path);
      }}
    >
      <Icon name="copy" />
    </button>
  </>
);

function Value({ node: { value, size }, isWhole }: { node: ValueNode; isWhole: boolean }) {
  if (size !== null)
    return (
      <span class="soft">
        {Array.isArray(value) ? t.events.tree.elements(size) : t.events.tree.fields(size)}
      </span>
    );
  if (typeof value !== 'string')
    return <span class={`tree-value tree-${typeof value}`}>{JSON.stringify(value)}</span>;
  if (!isLong(value))
    return (
      <span class="tree-string" dir="auto">
        {value === '' ? '""' : value}
      </span>
    );
  return (
    <span class="tree-string" dir="auto">
      <span class={isWhole ? 'tree-whole' : undefined}>
        {isWhole ? value : `${value.slice(0, SHOWN_TEXT)}…`}
      </span>{' '}
      <span class="tree-more">{isWhole ? t.events.tree.less : t.events.tree.all(number(value.length))}</span>
    </span>
  );
}

const isLong = (value: unknown): boolean => typeof value === 'string' && value.length > SHOWN_TEXT + 40;

function toggled(old: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const next = new Set(old);
  if (!next.delete(path)) next.add(path);
  return next;
}

async function copyPath(path: string): Promise<void> {
  await navigator.clipboard.writeText(path);
  toast(t.events.tree.pathCopied(path));
}

interface ValueNode {
  readonly is: 'value';
  /** The path as a template writes it. It is the node's identity, too. */
  readonly path: string;
  readonly parent: string | null;
  /** Null: the root. */
  readonly key: string | number | null;
  readonly value: unknown;
  readonly level: number;
  /** From 1, among `of` of the same parent. */
  readonly position: number;
  readonly of: number;
  /** Null: it cannot be opened. */
  readonly size: number | null;
  readonly isOpen: boolean;
}

type MoreNode = Pick<ValueNode, 'path' | 'level' | 'position' | 'of'> & {
  readonly is: 'more';
  readonly parent: string;
  readonly left: number;
};

type TreeNode = ValueNode | MoreNode;

/** The children of one node that are drawn before somebody asks for more. */
const DRAWN = 100;
const FIRST_ROWS = 60;

/** Null: it has none, and cannot be opened. */
function childrenOf(value: unknown): readonly (readonly [key: string | number, child: unknown])[] | null {
  if (typeof value !== 'object' || value === null) return null;
  const children = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
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
    const below = { parent: path, level: level + 1, of };
    for (const [index, [key, value]] of children.slice(0, limit).entries())
      add({ ...below, path: childPath(path, key), key, value, position: index + 1 });
    if (of > limit)
      nodes.push({ ...below, is: 'more', path: `${path}…`, position: limit + 1, left: of - limit });
  };
  add({ path: root, parent: null, key: null, value, level: 1, position: 1, of: 1 });
  return nodes;
}

/** Returns the nodes that are open at first: the root, then level by level as many as fit into `rows`. */
export function firstOpen(root: string, value: unknown, rows = FIRST_ROWS): ReadonlySet<string> {
  const open = new Set<string>();
  let left = rows;
  // It grows while it is gone through.
  const queue: (readonly [path: string, value: unknown])[] = [[root, value]];
  for (const [path, one] of queue) {
    const children = childrenOf(one)?.slice(0, DRAWN) ?? [];
    left -= children.length;
    // The root is always open: a closed tree says nothing.
    if (left < 0 && path !== root) break;
    if (children.length > 0) open.add(path);
    for (const [key, child] of children) queue.push([childPath(path, key), child]);
  }
  return open;
}

/** Names that Liquid takes after a dot. */
const NAME = /^[A-Za-z_]\w*(-\w+)*$/;

/** The path of a value in `path`, as a template writes it: `payload.items[0].name`, `payload["odd key"]`. */
export const childPath = (path: string, key: string | number): string =>
  typeof key === 'string' && NAME.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
