import { KINDS, type DocumentKind } from '../../src/config/documents/name.ts';

export const DEFAULT_FOLDER = './hookbell';

/** A document's kind and name, such as `sources/shop`. */
export interface DocumentId {
  readonly kind: DocumentKind;
  readonly name: string;
}

export const idText = ({ kind, name }: DocumentId): string => `${kind}/${name}`;

/** `2 sources, 1 template`; kinds without any are left out. */
export function countByKind(ids: readonly DocumentId[]): string {
  const parts = KINDS.flatMap((kind) => {
    const n = ids.filter((id) => id.kind === kind).length;
    if (n === 0) return [];
    return [`${n} ${n === 1 ? SINGULAR[kind] : PLURAL[kind]}`];
  });
  return parts.length === 0 ? 'no documents' : parts.join(', ');
}

const SINGULAR: Readonly<Record<DocumentKind, string>> = {
  sources: 'source',
  templates: 'template',
  recipients: 'recipient list',
  accounts: 'account',
  silences: 'silence',
  providers: 'provider',
};

const PLURAL: Readonly<Record<DocumentKind, string>> = {
  sources: 'sources',
  templates: 'templates',
  recipients: 'recipient lists',
  accounts: 'accounts',
  silences: 'silences',
  providers: 'providers',
};
