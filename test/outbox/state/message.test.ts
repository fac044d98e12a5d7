import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseOwnJson } from '../../../src/lib/own-json.ts';
import {
  attemptsText,
  lastOutcome,
  messageId,
  messageSeq,
  type Attempt,
} from '../../../src/outbox/state/message.ts';

const TAG = 'abcdefg';
const seqs = fc.integer({ min: 0, max: 2 ** 45 - 1 });

describe('a message’s id', () => {
  it('leads back to its number', () => {
    fc.assert(
      fc.property(seqs, (seq) => {
        expect(messageSeq(messageId(seq, TAG), TAG)).toBe(seq);
      }),
    );
  });

  it('sorts as text as its number does', () => {
    fc.assert(
      fc.property(seqs, seqs, (a, b) => {
        expect(messageId(a, TAG) < messageId(b, TAG)).toBe(a < b);
      }),
    );
  });

  it('is not found in another outbox', () => {
    expect(messageSeq(messageId(5, 'zzzzzzz'), TAG)).toBeNull();
  });

  it.each([
    '',
    'msg_',
    'evt_000000005abcdefg',
    'msg_00000005abcdefg',
    'msg_0000000005abcdefg',
    'msg_00000000uabcdefg',
    'MSG_000000005abcdefg',
    'msg_00000000-abcdefg',
    ' msg_000000005abcdefg',
  ])('is refused when it is none: %j', (text) => {
    expect(messageSeq(text, TAG)).toBeNull();
  });
});

const attempt = (n: number, text: string): Attempt => ({
  n,
  at: n,
  duration_ms: 5,
  outcome: 'busy',
  detail: text,
  response: text,
});

const kept = (count: number, text = 'no'): readonly number[] => {
  const attempts = Array.from({ length: count }, (_, index) => attempt(index + 1, text));
  return parseOwnJson<readonly Attempt[]>(attemptsText(attempts)).map(({ n }) => n);
};

describe('the attempts in a message’s row', () => {
  it('are the newest hundred', () => {
    expect(kept(3)).toEqual([1, 2, 3]);
    expect(kept(120)).toEqual(Array.from({ length: 100 }, (_, index) => index + 21));
  });

  it('are fewer when the gateway’s answers are long once they are JSON, and the newest in any case', () => {
    const long = '\u0001'.repeat(1_024);
    expect(kept(120, long)).toEqual([109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120]);
    expect(kept(2, '\u0001'.repeat(100_000))).toEqual([2]);
  });

  it('say how the last one ended', () => {
    expect(lastOutcome({ attempts: attemptsText([attempt(1, 'no')]) })).toBe('busy');
    expect(lastOutcome({ attempts: '[]' })).toBeUndefined();
  });
});
