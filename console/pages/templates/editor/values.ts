import type { Local } from './at-cursor.ts';

/** The scope from the webhook beside it; null: there is none. */
export type WebhookScope = Readonly<Record<string, unknown>>;

export interface Key {
  readonly name: string;
  /** The text after its holder: `.name`, `["First name"]`, `[0]`. */
  readonly step: string;
  /** The value, short enough for a list. */
  readonly hint: string;
}

/** Enough to choose from; a payload may have any number of keys. */
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

export function keysOf(value: unknown): readonly Key[] {
  if (Array.isArray(value)) {
    const first: unknown = value[0];
    const last: unknown = value.at(-1);
    return [
      ...(value.length > 0 ? [{ name: 'first', step: '.first', hint: hintOf(first) }] : []),
      ...(value.length > 0 ? [{ name: 'last', step: '.last', hint: hintOf(last) }] : []),
      { name: 'size', step: '.size', hint: String(value.length) },
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
