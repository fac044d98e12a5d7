import { describe, expect, it } from 'vitest';
import { Signal } from '../../src/lib/signal.ts';

/** Long enough for everything that is settled already to run. */
async function turns(): Promise<false> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  return false;
}

/** True if the wait is over once all that could end it has run. */
const isOver = (wait: Promise<void>): Promise<boolean> => Promise.race([wait.then(() => true), turns()]);

describe('Signal', () => {
  it('a wait goes on until there is a notice', async () => {
    const signal = new Signal();
    const wait = signal.wait(null);
    expect(await isOver(wait)).toBe(false);
    signal.notify();
    expect(await isOver(wait)).toBe(true);
  });

  it('a notice that came while nobody waited ends the next wait at once', async () => {
    const signal = new Signal();
    signal.notify();
    expect(await isOver(signal.wait(null))).toBe(true);
  });

  it('several notices wake once: they say only that there is something to look at', async () => {
    const signal = new Signal();
    signal.notify();
    signal.notify();
    expect(await isOver(signal.wait(null))).toBe(true);
    expect(await isOver(signal.wait(null))).toBe(false);
  });

  it('a notice that ended a wait does not end the one after it', async () => {
    const signal = new Signal();
    const wait = signal.wait(null);
    signal.notify();
    await wait;
    expect(await isOver(signal.wait(null))).toBe(false);
  });

  it('a wait ends with its timeout, and a later notice is kept for the next one', async () => {
    const signal = new Signal();
    const { promise: timeout, resolve: ring } = Promise.withResolvers<void>();
    const wait = signal.wait(timeout);
    expect(await isOver(wait)).toBe(false);
    ring();
    expect(await isOver(wait)).toBe(true);
    signal.notify();
    expect(await isOver(signal.wait(null))).toBe(true);
  });
});
