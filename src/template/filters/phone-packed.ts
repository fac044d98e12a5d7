import type { NextBit } from '../../lib/bit-model.ts';

/** What trees are written in, the most frequent first. */
export const TREE_LETTERS = '.AbB0C12DE3J4G5NMLKIHF678';

/** So many trees of `phone-tree.ts`, one after the other. A letter is as many bits that are not set as there are before it. */
export const readTrees = (count: number, next: NextBit): readonly string[] =>
  Array.from({ length: count }, (_, tree) => readTree(tree, next));

function readTree(tree: number, next: NextBit): string {
  let text = '';
  let rank = 0;
  const depths = [0];
  // Iteration over a list includes elements that are added meanwhile.
  for (const depth of depths) {
    let met = 0;
    for (let digit = 0; digit < 10; digit += 1) {
      // What there was in this node, with where we are in it, and with where the node is.
      const inNode = (met * 256 + rank * 10 + digit) * 32;
      const inTree = ((tree * 16 + depth) * 32 + met) * 32;
      for (rank = 0; rank < LAST && next(inNode + rank, inTree + rank) === 0;) rank += 1;
      const letter = TREE_LETTERS.charAt(rank);
      text += letter;
      if (letter === 'b') depths.push(depth + 1);
      met |= 1 << Math.min(rank, RARE);
    }
  }
  return text;
}

const LAST = TREE_LETTERS.length - 1;
/** From this rank on they are all alike. */
const RARE = 4;
