import { KINDS, type DocumentKind } from '../../src/config/documents/name.ts';
import { count } from '../text.ts';

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
    return n === 0 ? [] : [count(n, kind === 'recipients' ? 'recipient list' : kind.slice(0, -'s'.length))];
  });
  return parts.length === 0 ? 'no documents' : parts.join(', ');
}
