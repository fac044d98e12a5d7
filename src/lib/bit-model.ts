/**
 * Data packed smaller than gzip can: whoever writes it and whoever reads it ask the same model how likely the next bit
 * is, and the model learns from each. The less a bit surprises, the less room it takes.
 *
 * Only sums, products, quotients and square roots of doubles, which every engine makes alike.
 */

/** Codes a bit by the chance (more than 0, less than 1) that it is set. */
export type BitCoder = (chance: number) => 0 | 1;

/** The next bit, by two numbers for what went before: the bits that have one of them in common help to foresee it. */
export type NextBit = (one: number, other: number) => 0 | 1;

/** As a power of two. Contexts that share a slot are foreseen a little worse. */
const SLOT_BITS = 17;
/** After so many bits in a context, the last ones count for more. */
const MEMORY = 14;
const BELIEF = 0.6;
const LEARNING = 0.005;

/** Foresees each bit that `code` codes. */
export function modelled(code: BitCoder): NextBit {
  const one = createContexts();
  const other = createContexts();
  return (inOne, inOther) => {
    const sum = one.ask(inOne) + other.ask(inOther);
    const lean = sum / Math.sqrt(1 + sum * sum) / 2;
    const bit = code(0.5 + lean);
    one.learn(bit - 0.5, lean);
    other.learn(bit - 0.5, lean);
    return bit;
  };
}

interface ContextModel {
  /** What is to be added up for the next bit in a context. */
  readonly ask: (context: number) => number;
  /** What the bit asked for was (-0.5 or 0.5), and what was foreseen (between them). */
  readonly learn: (bit: number, foreseen: number) => void;
}

function createContexts(): ContextModel {
  const leans = new Float32Array(1 << SLOT_BITS);
  const counts = new Uint8Array(1 << SLOT_BITS);
  /** How far a context is believed, by how many bits it has seen. */
  const weights = new Float64Array(MEMORY + 1).fill(BELIEF);
  let slot = 0;
  let input = 0;
  return {
    ask: (context) => {
      slot = Math.imul(context, 0x9e3779b1) >>> (32 - SLOT_BITS);
      const lean = leans[slot] ?? 0;
      input = lean / Math.sqrt(0.252 - lean * lean);
      return input * (weights[counts[slot] ?? 0] ?? 0);
    },
    learn: (bit, foreseen) => {
      const lean = leans[slot] ?? 0;
      const count = counts[slot] ?? 0;
      weights[count] = (weights[count] ?? 0) + LEARNING * (bit - foreseen) * input;
      leans[slot] = lean + (bit - lean) / (count + 1.3);
      if (count < MEMORY) counts[slot] = count + 1;
    },
  };
}

/** Reads what `scripts/bit-writer.ts` wrote: one long number in base64, of which each bit takes a part by its chance. */
export function bitReader(base64: string): BitCoder {
  const bytes = atob(base64);
  let read = 0;
  let low = 0;
  let high = 0;
  let number = 0;
  return (chance) => {
    for (; (low ^ high) >>> 24 === 0; read += 1) {
      low = (low << 8) >>> 0;
      high = ((high << 8) | 255) >>> 0;
      number = ((number << 8) | (bytes.charCodeAt(read) || 0)) >>> 0;
    }
    const middle = low + Math.floor((high - low) * chance);
    const bit = number <= middle ? 1 : 0;
    if (bit === 1) high = middle;
    else low = middle + 1;
    return bit;
  };
}
