import { numberOf, type Standing } from '../../lib/shares.ts';

/** The number of sends in a block. The oldest block is dropped as a whole. */
const BLOCK = 8_192;

/** Stands for no send. */
const NONE = -1;

/** Sends of about the same time. */
interface Block {
  readonly receivers: Float64Array;
  readonly ats: Float64Array;
  /** The number of the previous send to the same receiver, or {@link NONE}. */
  readonly previous: Float64Array;
  size: number;
  newestAt: number;
}

/**
 * The sends of a window of time, by receiver. Typed arrays take 24 bytes for each send, and a map without objects some
 * 45 for each receiver, so the busiest hour of an object fits into a third of its memory.
 */
export class ReceiverHistory {
  readonly #windowMs: number;
  #blocks: Block[] = [];
  /** The number of dropped blocks. Sends are numbered through all blocks. */
  #dropped = 0;
  /** The number of each receiver's newest send. */
  readonly #newest = new Map<number, number>();

  /** `windowMs`: the time that sends matter. */
  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** The number of sends that are kept. */
  get size(): number {
    return this.#blocks.reduce((sum, { size }) => sum + size, 0);
  }

  /** Adds the newest send. `receiver`: see {@link lineOf}. */
  add(receiver: number, at: number): void {
    this.#dropBefore(at - this.#windowMs);
    const block = this.#openBlock();
    const offset = block.size;
    block.receivers[offset] = receiver;
    block.ats[offset] = at;
    block.previous[offset] = this.#newest.get(receiver) ?? NONE;
    block.size += 1;
    block.newestAt = Math.max(block.newestAt, at);
    this.#newest.set(receiver, (this.#dropped + this.#blocks.length - 1) * BLOCK + offset);
  }

  /** Returns the time of the `n`th newest send to the receiver (ms; 1: the newest); null if there are fewer. */
  nthNewest(receiver: number, n: number): number | null {
    let send = this.#newest.get(receiver) ?? NONE;
    for (let passed = 1; passed < n && send !== NONE; passed += 1)
      send = this.#blockOf(send)?.previous[send % BLOCK] ?? NONE;
    return this.#blockOf(send)?.ats[send % BLOCK] ?? null;
  }

  /** The clock was ahead and was set back: sends after `now` count as sent now. */
  turnBack(now: number): void {
    for (const block of this.#blocks) {
      block.newestAt = Math.min(block.newestAt, now);
      block.ats.forEach((at, offset) => (block.ats[offset] = Math.min(at, now)));
    }
  }

  /** Undefined if it was dropped. */
  #blockOf(send: number): Block | undefined {
    return this.#blocks[Math.floor(send / BLOCK) - this.#dropped];
  }

  #openBlock(): Block {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.size < BLOCK) return last;
    const numbers = (): Float64Array => new Float64Array(BLOCK);
    const block: Block = { receivers: numbers(), ats: numbers(), previous: numbers(), size: 0, newestAt: 0 };
    this.#blocks.push(block);
    return block;
  }

  #dropBefore(before: number): void {
    for (let [old] = this.#blocks; old !== undefined && old.newestAt <= before; [old] = this.#blocks) {
      this.#blocks.shift();
      this.#dropped += 1;
      for (const receiver of old.receivers.subarray(0, old.size))
        if ((this.#newest.get(receiver) ?? 0) < this.#dropped * BLOCK) this.#newest.delete(receiver);
    }
  }
}

/** The number of different receivers. */
const RECEIVERS = 2 ** 51;

/** A receiver's sends of a standing, as a whole number of 53 bits. */
export const lineOf = (phone: string, standing: Standing): number =>
  receiverKey(phone) + numberOf(standing) * RECEIVERS;

/** Returns the lines in which a send counts: those of open sources are in the receiver's signed line as well. */
export const linesOf = (line: number): readonly number[] =>
  line < numberOf('open') * RECEIVERS ? [line] : [line, line % RECEIVERS];

/**
 * Returns a receiver as a whole number of 51 bits (cyrb53). Among a million receivers, two have the same number with a
 * chance of 1 in 4,500; those share an hourly cap. The phone number itself is not kept.
 */
function receiverKey(phone: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < phone.length; index += 1) {
    const unit = phone.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return 4_294_967_296 * (low & 0x7_ffff) + (high >>> 0);
}
