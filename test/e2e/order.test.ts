import { describe, expect, it } from 'vitest';
import { overtaken, triedTooEarly } from './order.ts';

const message = (text: string, phone: string, ...attempts: readonly string[]) => ({
  phone,
  params: { message: text },
  attempts: attempts.map((at) => ({ at })),
});
const call = (text: string, to: string, delivered = true) => ({ to, params: { message: text }, delivered });

describe('messages that were never retried', () => {
  const messages = [message('a', '1', 't1'), message('b', '1', 't2', 't3'), message('c', '1', 't4')];

  it('may not overtake each other on the way to one receiver', () => {
    expect(overtaken(messages, [call('c', '1'), call('a', '1')])).toEqual(['a']);
  });

  it('may arrive before one that was retried', () => {
    expect(overtaken(messages, [call('a', '1'), call('c', '1'), call('b', '1')])).toEqual([]);
  });

  it('have no order between receivers, and none by calls that failed', () => {
    const calls = [call('c', '1', false), call('d', '2'), call('a', '1'), call('c', '1')];
    expect(overtaken([...messages, message('d', '2', 't1')], calls)).toEqual([]);
  });
});

describe('first attempts to one receiver', () => {
  it('are made in the order accepted', () => {
    expect(triedTooEarly([message('b', '1', 't1'), message('a', '1', 't2')])).toEqual(['b']);
  });

  it('may be made in the same millisecond, and in any order for others', () => {
    expect(
      triedTooEarly([message('a', '1', 't2'), message('b', '1', 't2'), message('c', '2', 't1')]),
    ).toEqual([]);
  });
});
