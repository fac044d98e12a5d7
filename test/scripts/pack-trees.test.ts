import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packTrees } from '../../scripts/pack-trees.ts';
import { bitReader, modelled } from '../../src/lib/bit-model.ts';
import { readTrees, TREE_LETTERS } from '../../src/template/filters/phone-packed.ts';

const leaf = fc.constantFrom(...TREE_LETTERS.split('').filter((letter) => letter !== 'b'));
const leaves = fc.array(leaf, { minLength: 10, maxLength: 10 }).map((all) => all.join(''));

/** A node, with one below it where a digit says so, and so on. */
const tree = fc
  .array(fc.tuple(leaves, fc.nat(9)), { maxLength: 4 })
  .chain((nodes) =>
    leaves.map((last) =>
      [...nodes.map(([text, at]) => `${text.slice(0, at)}b${text.slice(at + 1)}`), last].join(''),
    ),
  );

describe('packed trees', () => {
  it('are read as they were', () => {
    fc.assert(
      fc.property(fc.array(tree), (trees) => {
        expect(readTrees(trees.length, modelled(bitReader(packTrees(trees))))).toEqual(trees);
      }),
      { numRuns: 30 },
    );
  });

  it('end where all their nodes have been', () => {
    expect(() => packTrees(['.b........'])).toThrow('more bits were asked for than there are');
    expect(() => packTrees(['....................'])).toThrow('these are no trees');
  });
});
