import { describe, expect, it } from 'vitest';
import { normaliser } from './normal.ts';

describe('a screen without what differs from run to run', () => {
  it('numbers ids as they come, and keeps the columns behind them', () => {
    const normalise = normaliser([]);
    expect(normalise('msg_0000000010rd0nnh  sent\nmsg_0000000020rd0nnh  dead')).toBe(
      '‹msg 1›               sent\n‹msg 2›               dead',
    );
    expect(normalise('retry msg_0000000020rd0nnh, please')).toBe('retry ‹msg 2›, please');
  });

  it.each([
    ['19:09:38  sent', '‹time›    sent'],
    ['created  2031-02-03 09:30:01', 'created  ‹date›'],
    ['_since 03/02/2031, 09:30_', '_since ‹date›_'],
    ['New order at 9:3…', 'New order at ‹›…'],
    ['sent  paid  12 ms', 'sent  paid  ‹ms›'],
    ['more: --cursor eyJkZWZhdWx0Ij', 'more: --cursor ‹cursor›'],
  ])('takes times and durations out: %s', (screen, kept) => {
    expect(normaliser([])(screen)).toBe(kept);
  });

  it('leaves alone what a message says', () => {
    const text = 'p99 is back under 300 ms, to 4915112345678 at 12%';
    expect(normaliser([])(text)).toBe(text);
  });

  it('replaces the texts of one run, such as its ports', () => {
    expect(normaliser([[':8761', ':8787']])('http://localhost:8761/hooks')).toBe(
      'http://localhost:8787/hooks',
    );
  });
});
