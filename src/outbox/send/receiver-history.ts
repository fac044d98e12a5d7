/** The size of a block in sends, as a power of two. The oldest block is dropped as a whole. */
const BLOCK_BITS = 13;
const BLOCK = 1 << BLOCK_BITS;
const OFFSET = BLOCK - 1;

/** Sends are numbered. Before the numbers exceed 32 bits, all sends get new ones. */
const MAX_INDEX = 2 ** 31 - 1;

const MIN_SLOTS = 1_024;

/** No send. */
const NONE = -1;

/** Sends of about the same time. */
interface Block {
  readonly receivers: Float64Array;
  readonly ats: Float64Array;
  /** The number of the previous send to the same receiver, or {@link NONE}. */
  readonly previous: Int32Array;
  size: number;
  newestAt: number;
}

/**
 * The sends of a window of time, by receiver. Typed arrays take 20 bytes for each send and 8 to 32 for each receiver,
 * so that the busiest hour of an object fits into a third of its memory. Maps of arrays took 285 bytes for each
 * receiver.
 */
export class ReceiverHistory {
  readonly #windowMs: number;
  #blocks: Block[] = [];
  /** How many blocks were dropped. Their sends keep their numbers. */
  #dropped = 0;
  /** The number of the next send. */
  #next = 0;
  /** A hash table with open addressing. A slot has the number of a receiver's newest send, plus one; 0: free. */
  #slots: Int32Array;
  #usedSlots = 0;

  /** `windowMs`: how far back sends matter. `expected`: how many sends are about to be added. */
  constructor(windowMs: number, expected = 0) {
    this.#windowMs = windowMs;
    this.#slots = new Int32Array(slotsFor(expected));
  }

  /** How many sends are kept. */
  get size(): number {
    return this.#blocks.reduce((sum, { size }) => sum + size, 0);
  }

  /** Adds the newest send. `receiver`: see {@link receiverKey}. */
  add(receiver: number, at: number): void {
    this.#dropBefore(at - this.#windowMs);
    if (2 * this.#usedSlots >= this.#slots.length || this.#next >= MAX_INDEX) this.#rebuild();
    this.#insert(receiver, at);
  }

  /** When the `n`th newest send to the receiver was made (ms; 1: the newest); null: there are fewer. */
  nthNewest(receiver: number, n: number): number | null {
    let index = this.#indexIn(this.#slotOf(receiver));
    for (let passed = 1; passed < n && index >= this.#firstIndex; passed += 1)
      index = this.#blockOf(index)?.previous[index & OFFSET] ?? NONE;
    return index >= this.#firstIndex ? (this.#blockOf(index)?.ats[index & OFFSET] ?? null) : null;
  }

  /** The clock was ahead and was set back: what was sent after `now` counts as sent now. */
  turnBack(now: number): void {
    for (const block of this.#blocks) {
      block.newestAt = Math.min(block.newestAt, now);
      block.ats.forEach((at, offset) => (block.ats[offset] = Math.min(at, now)));
    }
  }

  #insert(receiver: number, at: number): void {
    const block = this.#openBlock();
    const slot = this.#slotOf(receiver);
    if (this.#slots[slot] === 0) this.#usedSlots += 1;
    block.receivers[block.size] = receiver;
    block.ats[block.size] = at;
    block.previous[block.size] = this.#indexIn(slot);
    block.size += 1;
    block.newestAt = Math.max(block.newestAt, at);
    this.#next += 1;
    this.#slots[slot] = this.#next;
  }

  get #firstIndex(): number {
    return this.#dropped * BLOCK;
  }

  #indexIn(slot: number): number {
    return (this.#slots[slot] ?? 0) - 1;
  }

  #blockOf(index: number): Block | undefined {
    return this.#blocks[(index >> BLOCK_BITS) - this.#dropped];
  }

  #openBlock(): Block {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.size < BLOCK) return last;
    // Blocks may be dropped before they are full, so numbers may have a gap.
    this.#next = (this.#dropped + this.#blocks.length) * BLOCK;
    const block: Block = {
      receivers: new Float64Array(BLOCK),
      ats: new Float64Array(BLOCK),
      previous: new Int32Array(BLOCK),
      size: 0,
      newestAt: 0,
    };
    this.#blocks.push(block);
    return block;
  }

  #dropBefore(before: number): void {
    for (
      let [first] = this.#blocks;
      first !== undefined && first.newestAt <= before;
      [first] = this.#blocks
    ) {
      this.#blocks.shift();
      this.#dropped += 1;
    }
  }

  /** The receiver's slot; if it has none, the slot to use for it: a free one, or one whose sends were all dropped. */
  #slotOf(receiver: number): number {
    const mask = this.#slots.length - 1;
    let reusable: number | null = null;
    for (let slot = receiver & mask; ; slot = (slot + 1) & mask) {
      const index = this.#indexIn(slot);
      if (index === NONE) return reusable ?? slot;
      if (index < this.#firstIndex) reusable ??= slot;
      else if (this.#blockOf(index)?.receivers[index & OFFSET] === receiver) return slot;
    }
  }

  /**
   * Gives the sends new numbers, in a table that is at most a quarter full. Frees each block before the next is copied.
   */
  #rebuild(): void {
    const kept = this.#slots.reduce((count, next) => (next > this.#firstIndex ? count + 1 : count), 0);
    const blocks = this.#blocks;
    this.#blocks = [];
    this.#dropped = 0;
    this.#next = 0;
    this.#usedSlots = 0;
    this.#slots = new Int32Array(slotsFor(2 * kept));
    for (let block = blocks.shift(); block !== undefined; block = blocks.shift())
      for (let offset = 0; offset < block.size; offset += 1)
        this.#insert(block.receivers[offset] ?? 0, block.ats[offset] ?? 0);
  }
}

/** The size of a table that is at most half full. */
const slotsFor = (receivers: number): number =>
  Math.max(MIN_SLOTS, 2 ** Math.ceil(Math.log2(2 * receivers + 1)));

/**
 * A receiver as a whole number of 53 bits (cyrb53). Among a million receivers, two have the same number with a chance
 * of 1 in 18,000; those share an hourly cap. The phone number itself is not kept.
 */
export function receiverKey(phone: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < phone.length; index += 1) {
    const unit = phone.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return 4_294_967_296 * (low & 0x1f_ffff) + (high >>> 0);
}
