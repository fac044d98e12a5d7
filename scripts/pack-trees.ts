import { type BitCoder, modelled } from '../src/lib/bit-model.ts';
import { readTrees, TREE_LETTERS } from '../src/template/filters/phone-packed.ts';
import { bitWriter } from './bit-writer.ts';

/** Packs trees for `readTrees`: what it is to read is written down while it reads it. */
export function packTrees(trees: readonly string[]): string {
  const { code, base64 } = bitWriter(bitsOf(trees.join('')));
  const read = readTrees(trees.length, modelled(code));
  if (read.join() !== trees.join()) throw new Error('these are no trees');
  return base64();
}

function* bitsOf(text: string): Iterable<0 | 1> {
  for (const letter of text) {
    const rank = TREE_LETTERS.indexOf(letter);
    for (let place = 0; place <= rank && place < TREE_LETTERS.length - 1; place += 1)
      yield bit(place === rank);
  }
}

const bit = (isSet: boolean): ReturnType<BitCoder> => (isSet ? 1 : 0);
