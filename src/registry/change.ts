import { err, ok, type Result } from '../lib/result.ts';
import type { DocumentKind } from '../config/documents/name.ts';
import { DEFAULT_ACCOUNT_NAME } from '../config/secrets/credential-names.ts';
import { accountSchema } from '../config/documents/account-schema.ts';
import {
  sourceSchema,
  templateSchema,
  type ConfigSet,
  type SourceDocument,
  type TemplateDocument,
} from '../config/documents/schema.ts';
import { unknownName } from '../config/documents/unknown-name.ts';
import type { FieldError } from '../lib/problem.ts';

export type Change =
  | { readonly kind: 'replace'; readonly set: ConfigSet }
  | ({ readonly kind: 'put'; readonly document: unknown } & OneDocument)
  | ({ readonly kind: 'delete' } & OneDocument);

interface OneDocument {
  readonly collection: DocumentKind;
  readonly name: string;
}

export interface Mark {
  readonly by: string;
  readonly at: number;
  /** The files' texts by path, as JSON; if absent, those of the previous publish stay. */
  readonly files?: string;
}

/** An earlier version that is put in force again. */
export interface Activation {
  readonly version: number;
  /** Checked in the same step as the commit. */
  readonly condition?: Precondition | undefined;
  /** The address at which an editor publishes it; absent: the previous one. */
  readonly publicUrl?: string | undefined;
  /** Needed if the set is managed. */
  readonly mark?: Mark | undefined;
}

export interface NewPublish extends Omit<Activation, 'version'> {
  readonly change: Change;
  readonly by: string;
  readonly now: number;
  readonly note?: string | undefined;
}

export type ChangeCheck = Pick<NewPublish, 'change' | 'condition' | 'publicUrl'>;

/** The reason why a publish was refused; nothing was changed. `status`: the status of the admin API's answer. */
export interface PublishRefusal {
  readonly status: 404 | 409 | 412 | 413 | 422;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** The version in force, if the change was meant for another one. */
  readonly inForce?: number;
  /** The kind of 409: the set is managed in git, or is not; absent: the document is in use. */
  readonly conflict?: 'managed' | 'conflict';
}

export interface PublishReceipt {
  readonly version: number;
  /** The `Published` of `load.ts` as JSON, since documents of any shape lose their types in an RPC. */
  readonly published: string;
  readonly warnings: readonly FieldError[];
}

/** The versions, from `If-Match`, one of which must be active for a change to be made; `*` for any. */
export type Precondition = readonly number[] | '*';

/** RFC 9110 §13.1.1: entity tags in quotes, separated by commas. A number of 15 digits is still exact. */
const TAGS = /^\s*(?:W\/)?"\d{1,15}"(?:\s*,\s*(?:W\/)?"\d{1,15}")*\s*$/;

/** Nobody needs more than a few versions, and the header is passed on to the registry. */
const MAX_TAGS = 20;

/** A weak tag counts as well: it names a version, and Cloudflare makes a strong tag weak when it compresses an answer. */
export function parseIfMatch(header: string): Result<Precondition, string> {
  if (header.trim() === '*') return ok('*');
  const versions = TAGS.test(header) ? [...header.matchAll(/\d+/g)].map(([digits]) => Number(digits)) : [];
  return versions.length > 0 && versions.length <= MAX_TAGS
    ? ok(versions)
    : err('must be `*` or a version in quotes, as this API sends it in `ETag`: "7"');
}

export const holds = (condition: Precondition | undefined, version: number): boolean =>
  condition === undefined || condition === '*' || condition.includes(version);

/** Deleting a document that does not exist gives 404; deleting one in use gives 409. */
export function applyChange(set: ConfigSet, change: Change): Result<ConfigSet, PublishRefusal> {
  if (change.kind === 'replace') return ok(change.set);
  const { collection, name } = change;
  if (change.kind === 'put')
    return ok({ ...set, [collection]: { ...set[collection], [name]: change.document } });
  if (!Object.hasOwn(set[collection], name)) {
    const detail = `In ${collection} ${unknownName('document', name, Object.keys(set[collection]))}`;
    return err({ status: 404, detail });
  }
  const uses = [...usesIn(set)].filter(([kind, used]) => kind === collection && used === name);
  if (uses.length > 0) {
    const users = [...new Set(uses.map(([, , place]) => place))].join(', ');
    // Sources that name no account use `default`, and its settings have defaults.
    const fix =
      collection === 'accounts' && name === DEFAULT_ACCOUNT_NAME
        ? 'to reset it, save it as `{}`.'
        : 'change these first.';
    return err({ status: 409, detail: `\`${name}\` is in use by ${users}; ${fix}` });
  }
  const others = Object.entries(set[collection]).filter(([other]) => other !== name);
  return ok({ ...set, [collection]: Object.fromEntries(others) });
}

export const describeChange = (change: Change): string =>
  change.kind === 'replace' ? 'replace the whole set' : `${change.kind} ${change.collection}/${change.name}`;

/** A kind of document, the name of one that is used (undefined: none is), and the place that uses it. */
type Use = readonly [DocumentKind, name: string | undefined, place: string];

function* usesIn({ sources, templates, accounts }: ConfigSet): Generator<Use> {
  for (const [id, document] of Object.entries(sources)) {
    const { data } = sourceSchema.safeParse(document);
    if (data !== undefined) yield* usesOfSource(data, `sources.${id}`);
  }
  for (const [id, document] of Object.entries(templates)) {
    const { data } = templateSchema.safeParse(document);
    if (data !== undefined) yield* usesOfFallbacks(data, `templates.${id}`);
  }
  for (const [id, document] of Object.entries(accounts))
    yield ['accounts', accountSchema.safeParse(document).data?.escape?.via.account, `accounts.${id}`];
}

function* usesOfSource(source: SourceDocument, id: string): Generator<Use> {
  const { provider, account = DEFAULT_ACCOUNT_NAME, routes = [] } = source;
  yield ['accounts', account, id];
  yield ['providers', provider, id];
  for (const { name, to, template, digest, send, escalate = [] } of routes) {
    const place = `${id} (route ${name})`;
    // One of a list's people is `list/person`.
    for (const entry of [to ?? [], ...escalate.map((step) => step.to)].flat())
      yield ['recipients', entry.split('/')[0], place];
    const names = typeof template === 'object' ? Object.values(template) : (template ?? []);
    for (const one of [names, digest ?? [], send ?? []].flat())
      if (typeof one === 'string') yield ['templates', one, place];
      else yield* usesOfFallbacks(one, place);
  }
}

function* usesOfFallbacks({ fallback = [] }: TemplateDocument, place: string): Generator<Use> {
  for (const { account } of fallback) yield ['accounts', account, place];
}
