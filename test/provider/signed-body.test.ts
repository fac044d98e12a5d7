import { describe, expect, it } from 'vitest';
import { keyOfBody, type SignedBody } from '../../src/provider/signed-body.ts';

const facts = (payload: unknown) => ({ payload, headers: new Headers(), query: new URLSearchParams() });

const keyOf = (
  body: Partial<SignedBody>,
  payload: unknown,
  { type = null, isJson = true }: { readonly type?: string | null; readonly isJson?: boolean } = {},
): string | null => keyOfBody(body, 'digest', { type, facts: facts(payload), isJson });

describe('what a signed body is claimed by', () => {
  it('is its digest', () => {
    expect(keyOf({}, { id: 1 })).toBe('digest');
    expect(keyOf({}, null, { type: 'order.created', isJson: false })).toBe('digest');
  });

  it('has the type with it where one body is posted under several, and all other types are as one', () => {
    const types = ['order.created', 'order.updated'];
    const of = (type: string | null) => keyOf({ types }, {}, { type });
    expect(new Set([...types, 'invented'].map(of)).size).toBe(3);
    expect([of('other'), of(null)]).toEqual([of('invented'), of('invented')]);
  });

  it('is nothing where all conditions of a list hold: the sender posts such a body again', () => {
    const repeats = [
      [{ at: 'body:action', equals: 'added' }, { at: 'body:member' }],
      [{ at: 'body:at', absent: true }],
    ] as const;
    expect(keyOf({ repeats }, { at: 1, action: 'added', member: {} })).toBeNull();
    expect(keyOf({ repeats }, { action: 'opened' })).toBeNull();
    expect(keyOf({ repeats }, { at: 1, action: 'added' })).toBe('digest');
  });

  it('is not looked for in what was read as anything but JSON, which a stranger may have written into it', () => {
    const repeats = [[{ at: 'body:member' }]] as const;
    expect(keyOf({ repeats }, { member: '1' }, { isJson: false })).toBe('digest');
  });
});
