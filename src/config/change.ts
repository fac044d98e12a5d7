import { err, ok, type Result } from '../lib/result.ts';
import { suggest } from '../lib/suggest.ts';
import type { PublishRefusal } from './registry.ts';
import type { DocumentKind } from './kinds.ts';
import { sourceSchema, type ConfigSet } from './schema.ts';

/** A change to the set in force. */
export type Change =
  | { readonly kind: 'replace'; readonly set: ConfigSet }
  | {
      readonly kind: 'put';
      readonly collection: DocumentKind;
      readonly name: string;
      readonly document: unknown;
    }
  | { readonly kind: 'delete'; readonly collection: DocumentKind; readonly name: string };

/** The set after the change. Deleting what is not there is 404, deleting what is in use 409. */
export function applyChange(set: ConfigSet, change: Change): Result<ConfigSet, PublishRefusal> {
  if (change.kind === 'replace') return ok(change.set);
  const { collection, name } = change;
  const others = Object.fromEntries(Object.entries(set[collection]).filter(([other]) => other !== name));
  if (change.kind === 'put') return ok({ ...set, [collection]: { ...others, [name]: change.document } });
  if (!Object.hasOwn(set[collection], name)) {
    const close = suggest(name, Object.keys(set[collection]));
    const hint = close === null ? '' : ` Did you mean \`${close}\`?`;
    return err({ status: 404, detail: `There is no \`${name}\` in ${collection}.${hint}`, errors: [] });
  }
  const users = usersOf(set, collection, name);
  if (users.length > 0) {
    return err({
      status: 409,
      detail: `\`${name}\` is in use by ${users.join(', ')}; change these first.`,
      errors: [],
    });
  }
  return ok({ ...set, [collection]: others });
}

/** Where a set's sources name a document. */
function usersOf(set: ConfigSet, collection: DocumentKind, name: string): readonly string[] {
  if (collection === 'sources') return [];
  return Object.entries(set.sources).flatMap(([id, document]) => {
    const source = sourceSchema.safeParse(document);
    if (!source.success) return [];
    const { account, routes = [] } = source.data;
    if (collection === 'accounts') return account === name ? [`sources.${id}`] : [];
    return routes
      .filter(({ template, to }) =>
        collection === 'templates' ? template === name : [to].flat().includes(name),
      )
      .map((route) => `sources.${id} (route ${route.name})`);
  });
}
