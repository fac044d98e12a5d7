import '../facts.ts';
import { accountSchema } from '../../src/config/documents/account-schema.ts';
import { DEFAULT_ACCOUNT_NAME } from '../../src/config/secrets/credential-names.ts';
import { gatewaySpec } from '../../src/config/compiled/gateway-spec.ts';
import { KINDS } from '../../src/config/documents/name.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { movedHost } from '../../src/config/secrets/gateway.ts';
import { V2, type GatewaySpec } from '../../src/gateway/shape.ts';
import { idText, type DocumentId } from '../folder/kinds.ts';
import type { Output } from '../output.ts';
import { count } from '../text.ts';
import { writeYaml } from '../../shared/yaml-patch/rewrite.ts';
import { sameDocument } from '../../shared/yaml-patch/same.ts';
import { diffLines, diffText, type DiffLine } from './lines.ts';
import { isObject } from '../../src/lib/json.ts';

export interface DocumentChange extends DocumentId {
  readonly change: 'added' | 'removed' | 'changed';
  readonly lines: readonly DiffLine[];
  /** The host to which an account's secrets go, if that changes. */
  readonly host?: { readonly before: string | null; readonly after: string } | undefined;
}

/** The documents that differ from one set to another. The order of keys and the comments of files do not count. */
export function diffSets(before: ConfigSet, after: ConfigSet): readonly DocumentChange[] {
  return KINDS.flatMap((kind) => {
    const [olds, news] = [new Map(Object.entries(before[kind])), new Map(Object.entries(after[kind]))];
    const names = [...new Set([...olds.keys(), ...news.keys()])].sort();
    return names.flatMap((name): DocumentChange[] => {
      const [old, fresh] = [olds.get(name), news.get(name)];
      const moved =
        kind === 'accounts' ? movedHost(gatewayIn(name, old), gatewayIn(name, fresh) ?? V2) : null;
      const host = moved === null ? {} : { host: moved };
      if (!olds.has(name))
        return [{ kind, name, change: 'added', lines: diffLines('', writeYaml(fresh)), ...host }];
      if (!news.has(name)) return [{ kind, name, change: 'removed', lines: diffLines(writeYaml(old), '') }];
      if (sameDocument(old, fresh)) return [];
      const lines = diffLines(writeYaml(inOrderOf(fresh, old)), writeYaml(fresh));
      return [{ kind, name, change: 'changed', lines, ...host }];
    });
  });
}

/** The gateway of an account's document; null without one, but for `default`. */
function gatewayIn(account: string, document: unknown): GatewaySpec | null {
  if (document === undefined && account !== DEFAULT_ACCOUNT_NAME) return null;
  const { success, data } = accountSchema.safeParse(document ?? {});
  return success ? gatewaySpec(data) : V2;
}

/** `value` with its keys in the order of `model`, so that a different order is not shown as a difference. */
function inOrderOf(model: unknown, value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item: unknown, index) => inOrderOf(Array.isArray(model) ? model[index] : null, item));
  if (!isObject(value) || !isObject(model)) return value;
  const keys = [...Object.keys(model).filter((key) => Object.hasOwn(value, key)), ...Object.keys(value)];
  return Object.fromEntries([...new Set(keys)].map((key) => [key, inOrderOf(model[key], value[key])]));
}

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;
const COLOURS = { added: 'green', removed: 'red', changed: 'yellow' } as const;

/** Shows what would change, document by document. Of added and removed ones only the name. */
export function showChanges(out: Output, changes: readonly DocumentChange[]): void {
  for (const change of changes) {
    const { change: kind, lines, host } = change;
    out.line(`${out.style(COLOURS[kind], `${SIGNS[kind]} ${idText(change)}`)}  ${out.style('dim', kind)}`);
    if (kind === 'changed') for (const line of diffText(lines, out.style)) out.line(line);
    if (host !== undefined)
      out.line(
        out.style(
          'yellow',
          `  its secrets go to ${host.after}${host.before === null ? '' : `, before to ${host.before}`}`,
        ),
      );
  }
}

/** `3 documents (1 added, 2 changed)`. */
export const summary = (changes: readonly DocumentChange[]): string =>
  `${count(changes.length, 'document')} (${kindsOf(changes)})`;

/** The note of a version that a person gave none: `3 documents: 1 added, 2 changed`; of one document its name. */
export function noteOf(changes: readonly DocumentChange[]): string {
  const [only] = changes;
  return only !== undefined && changes.length === 1
    ? `${idText(only)} ${only.change}`
    : `${count(changes.length, 'document')}: ${kindsOf(changes)}`;
}

function kindsOf(changes: readonly DocumentChange[]): string {
  const parts = (['added', 'changed', 'removed'] as const).flatMap((kind) => {
    const n = changes.filter(({ change }) => change === kind).length;
    return n === 0 ? [] : [`${n} ${kind}`];
  });
  return parts.join(', ');
}
