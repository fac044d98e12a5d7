import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageId, messageSeq } from '../../src/outbox/message.ts';

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
