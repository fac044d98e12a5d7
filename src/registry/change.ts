import { err, ok, type Result } from '../lib/result.ts';
import type { PublishRefusal } from './published.ts';
import type { DocumentKind } from '../config/kinds.ts';
import { DEFAULT_ACCOUNT_NAME } from '../config/credential-names.ts';
import { sourceSchema, type ConfigSet } from '../config/schema.ts';
import { unknownName } from '../config/unknown-name.ts';

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
  if (change.kind === 'put')
    return ok({ ...set, [collection]: { ...set[collection], [name]: change.document } });
  if (!Object.hasOwn(set[collection], name)) {
    const detail = `In ${collection} ${unknownName('document', name, Object.keys(set[collection]))}`;
    return err({ status: 404, detail, errors: [] });
  }
  const users = usersOf(set, collection, name);
  if (users.length > 0) {
    // Sources that name no account use `default`, and its settings have defaults.
    const fix =
      collection === 'accounts' && name === DEFAULT_ACCOUNT_NAME
        ? 'to go back to its defaults, put `{}`.'
        : 'change these first.';
    return err({ status: 409, detail: `\`${name}\` is in use by ${users.join(', ')}; ${fix}`, errors: [] });
  }
  const others = Object.entries(set[collection]).filter(([other]) => other !== name);
  return ok({ ...set, [collection]: Object.fromEntries(others) });
}

/** A change in a few words, for the list of versions. */
export const describeChange = (change: Change): string =>
  change.kind === 'replace' ? 'replace the whole set' : `${change.kind} ${change.collection}/${change.name}`;

/** Returns the sources that use a document. */
function usersOf(set: ConfigSet, collection: DocumentKind, name: string): readonly string[] {
  if (collection === 'sources' || collection === 'silences') return [];
  return Object.entries(set.sources).flatMap(([id, document]) => {
    const source = sourceSchema.safeParse(document);
    if (!source.success) return [];
    const { account = DEFAULT_ACCOUNT_NAME, routes = [] } = source.data;
    if (collection === 'accounts') return account === name ? [`sources.${id}`] : [];
    return routes
      .filter(({ template, digest, to }) =>
        (collection === 'templates' ? [template, digest] : [to].flat()).includes(name),
      )
      .map((route) => `sources.${id} (route ${route.name})`);
  });
}
