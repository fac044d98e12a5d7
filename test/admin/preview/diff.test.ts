import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffMessages } from '../../../src/admin/preview/diff.ts';
import type { ComparedMessage } from '../../../src/admin/preview/api-preview.ts';

const message = (
  phone: string | null,
  text: string,
  over: Partial<ComparedMessage> = {},
): ComparedMessage => ({
  route: 'all',
  kind: 'text',
  phone,
  params: { message: text },
  ...over,
});

const kinds = (was: readonly ComparedMessage[], now: readonly ComparedMessage[]): readonly string[] =>
  diffMessages(was, now).map(({ kind }) => kind);

describe('the difference between what was sent and what would be', () => {
  it('is none for the same messages, whatever the order of their parameters', () => {
    const params = { url: 'https://a.example', text: 'x' };
    const turned = { text: 'x', url: 'https://a.example' };
    expect(
      diffMessages(
        [message('1', '', { kind: 'link-preview', params })],
        [message('1', '', { kind: 'link-preview', params: turned })],
      ),
    ).toEqual([{ kind: 'same', route: 'all', phone: '1' }]);
  });

  it('names what is added and what is gone by route and receiver', () => {
    expect(diffMessages([message('1', 'a')], [message('2', 'a'), message('1', 'a', { route: 'b' })])).toEqual(
      [
        { kind: 'removed', route: 'all', phone: '1' },
        { kind: 'added', route: 'all', phone: '2' },
        { kind: 'added', route: 'b', phone: '1' },
      ],
    );
  });

  it('shows each parameter that has changed, was there or is new', () => {
    const was = message(null, '', {
      kind: 'image',
      params: { image_url: 'https://a.example', caption: 'A' },
    });
    const now = message(null, '', { kind: 'text', params: { message: 'A' } });
    expect(diffMessages([was], [now])).toEqual([
      { kind: 'changed', route: 'all', phone: null, parameter: 'kind', was: 'image', now: 'text' },
      {
        kind: 'changed',
        route: 'all',
        phone: null,
        parameter: 'image_url',
        was: 'https://a.example',
        now: null,
      },
      { kind: 'changed', route: 'all', phone: null, parameter: 'caption', was: 'A', now: null },
      { kind: 'changed', route: 'all', phone: null, parameter: 'message', was: null, now: 'A' },
    ]);
  });

  it('does not call the later elements changed when one is gone', () => {
    const list = ['a', 'b', 'c'].map((text) => message('1', text));
    expect(kinds(list, list.slice(1))).toEqual(['same', 'same', 'removed']);
    expect(kinds(list.slice(1), list)).toEqual(['same', 'same', 'added']);
  });

  const anyMessages = fc.array(
    fc.record({
      route: fc.constantFrom('a', 'b'),
      kind: fc.constantFrom('text', 'status'),
      phone: fc.constantFrom('1', '2', null),
      params: fc.dictionary(fc.constantFrom('message', 'text'), fc.constantFrom('x', 'y')),
    }),
  );

  it('is none between a list and itself, in any order', () => {
    fc.assert(
      fc.property(anyMessages, (list) => {
        expect(kinds(list, list.toReversed()).every((kind) => kind === 'same')).toBe(true);
        expect(kinds(list, list)).toHaveLength(list.length);
      }),
    );
  });

  it('accounts for every message of both sides', () => {
    fc.assert(
      fc.property(anyMessages, anyMessages, (was, now) => {
        const all = kinds(was, now);
        const count = (kind: string) => all.filter((one) => one === kind).length;
        expect(count('added') - count('removed')).toBe(now.length - was.length);
      }),
    );
  });
});
