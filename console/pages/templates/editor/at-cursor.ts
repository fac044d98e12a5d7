/**
 * What can be typed at a place of a Liquid text; null: nothing to offer, e.g. in plain text or between quotes. `from`: the
 * start of the current word; `holder`: the steps before it (`payload`, `lines`, 0), or none where a name is to be typed.
 */
export function atCursor(text: string, at: number) {
  const before = text.slice(0, at);
  const inside = /\{([{%])-?(?:(?![%}]\}|\{[{%])[\s\S])*$/.exec(before);
  if (inside === null) return null;
  const [whole, open] = inside;
  const inner = whole.slice(whole[2] === '-' ? 3 : 2);
  const bare = inner.replaceAll(/"[^"]*"|'[^']*'/g, (quoted) =>
    /^["'][\w -]*["']$/.test(quoted) ? quoted : ' '.repeat(quoted.length),
  );
  if (isQuoted(inner)) return null;
  const word = /[\w-]*$/.exec(inner)?.[0] ?? '';
  const from = at - word.length;
  if (open === '%' && /^\s*\w*$/.test(inner)) return { is: 'tag' as const, from };
  if (/\|\s*\w*$/.test(bare)) return { is: 'filter' as const, from };
  if (/^-?\d/.test(word)) return null;
  const [, path] = PATH.exec(bare) ?? [];
  if (path !== undefined) return { is: 'path' as const, from, holder: stepsOf(path) };
  const isAfterValue = /[.\])]$/.test(bare.slice(0, bare.length - word.length));
  return isAfterValue ? null : { is: 'path' as const, from, holder: [] };
}

const PATH = /([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*|\[\d+\]|\["[^"]*"\]|\['[^']*'\])*)\.[\w-]*$/;

/** The steps of a path such as `payload.lines[0]["First name"]`. */
export const stepsOf = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]|([A-Za-z_][\w-]*)/g)].map(
    ([, index, double, single, name]) =>
      index === undefined ? (double ?? single ?? name ?? '') : Number(index),
  );

/** True if a quote in the text is still open. */
const isQuoted = (text: string): boolean => /["']/.test(text.replaceAll(/"[^"]*"|'[^']*'/g, ''));

/** A name that the text gives before the cursor, and the path of what it stands for; null: it is computed. */
interface Local {
  readonly name: string;
  readonly path: readonly (string | number)[] | null;
}

const LOCAL =
  /\{%-?\s*(?:for\s+([\w-]+)\s+in\s+([\w.[\]-]+)|assign\s+([\w-]+)\s*=\s*([\w.[\]-]+)\s*(\|?)|capture\s+([\w-]+))/g;

/** Names of loops, assignments and captures above the cursor. A loop's is an element of its list. */
export const localsIn = (text: string, at: number): readonly Local[] =>
  [...text.slice(0, at).matchAll(LOCAL)].map(([, each, list = '', name, value = '', pipe, captured]) => {
    if (each !== undefined) return { name: each, path: [...stepsOf(list), 0] };
    return { name: name ?? captured ?? '', path: name === undefined || pipe === '|' ? null : stepsOf(value) };
  });

export type WebhookScope = Readonly<Record<string, unknown>>;

const MAX_KEYS = 300;
const MAX_HINT = 48;

/** The value at a path; undefined: there is none. Local names are followed, a bounded number of times. */
export function valueAt(
  scope: WebhookScope,
  path: readonly (string | number)[],
  locals: readonly Local[] = [],
): unknown {
  const [root = '', ...steps] = path;
  const local = locals.findLast(({ name }) => name === root);
  if (local !== undefined) {
    if (local.path === null) return undefined;
    return below(valueAt(scope, local.path, locals.slice(0, locals.lastIndexOf(local))), steps);
  }
  return below(Object.hasOwn(scope, root) ? scope[root] : undefined, steps);
}

const below = (value: unknown, steps: readonly (string | number)[]): unknown =>
  steps.reduce<unknown>((holder, step) => {
    if (Array.isArray(holder)) {
      if (step === 'first') return holder[0] as unknown;
      if (step === 'last') return holder.at(-1) as unknown;
      return typeof step === 'number' ? (holder[step] as unknown) : undefined;
    }
    return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step)
      ? (Reflect.get(holder, step) as unknown)
      : undefined;
  }, value);

const NAME = /^[A-Za-z_][\w-]*$/;

/** The keys of a value. `step`: the text after their holder, `.name` or `["First name"]`; `hint`: short enough for a list. */
export function keysOf(value: unknown) {
  if (Array.isArray(value)) {
    const size = { name: 'size', step: '.size', hint: String(value.length) };
    if (value.length === 0) return [size];
    return [
      { name: 'first', step: '.first', hint: hintOf(value[0]) },
      { name: 'last', step: '.last', hint: hintOf(value.at(-1)) },
      size,
    ];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .slice(0, MAX_KEYS)
    .map(([name, inner]) => ({
      name,
      step: NAME.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`,
      hint: hintOf(inner),
    }));
}

/** A value in a few words: `"Ada"`, `[3]`, `{…}`. */
export function hintOf(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value === 'object' && value !== null) return '{…}';
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, MAX_HINT) : value);
  return typeof value === 'string' && value.length > MAX_HINT ? `${text.slice(0, -1)}…"` : text;
}
