import type { SignedPart, SignedPiece } from './signed-template.ts';

/**
 * Returns the texts that a value of a template must not contain, since they end it: with `id:{query:id};`, the id
 * `1;request-id:2` would be read as an id and a request's id. Before the one piece that may contain anything
 * (`{raw_body}`, or a `{free …}`), a value must not contain the text that follows it; after that piece, not the text
 * that precedes it. So the signed text can be split into its values in only one way. Times have a fixed form, and the
 * address is known.
 */
export function separatorsOf(parts: readonly SignedPart[]): ReadonlyMap<SignedPiece, readonly string[]> {
  const steps = parts.flatMap((part, segment): readonly PieceStep[] =>
    part.kind === 'optional'
      ? part.pieces.map((piece) => ({ piece, segment, optional: true }))
      : [{ piece: part, segment, optional: false }],
  );
  const free = steps.findIndex(({ piece }) => isFree(piece));
  return new Map(
    steps.flatMap((step, at) => {
      if (!isValue(step.piece) || at === free) return [];
      const others = free >= 0 && at > free ? steps.slice(free + 1, at).toReversed() : steps.slice(at + 1);
      return [[step.piece, neighbours(step, others)] as const];
    }),
  );
}

interface PieceStep {
  readonly piece: SignedPiece;
  readonly segment: number;
  readonly optional: boolean;
}

const isFree = (piece: SignedPiece): boolean =>
  piece.kind === 'raw_body' || piece.kind === 'form_sorted' || ('free' in piece && piece.free);

/** True for values of the request, in any form. */
const isValue = ({ kind }: SignedPiece): boolean =>
  kind === 'header' || kind === 'query' || kind === 'body' || kind === 'item' || kind === 'sig';

/** Returns the literals that may come next: those of segments that may vanish, up to one that is always there. */
function neighbours({ segment }: PieceStep, others: readonly PieceStep[]): readonly string[] {
  const texts: string[] = [];
  for (const other of others) {
    const isSure = !other.optional || other.segment === segment;
    if (other.piece.kind === 'literal') texts.push(other.piece.text);
    if (isSure) break;
  }
  return texts;
}
