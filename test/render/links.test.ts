import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PUBLIC_URL } from '../../src/config/public-url.ts';
import {
  standInsOf,
  truncateAround,
  withLinks,
  withShownLinks,
  withWholeLinks,
} from '../../src/render/links.ts';
import { compileText } from '../../src/template/text.ts';
import type { Scope } from '../../src/template/basics/scope.ts';

const label = compileText('Yes');
if (!label.ok) throw new Error(label.error);
const action = (id: string) => ({ id, label: label.value, silence: null, expiresMs: 1_000 });

const scopeOf = (id: string): Scope => ({
  payload: {},
  event: { id, type: null, source: 'shop', received_at: '2026-11-26T00:00:00.000Z', dedupe_key: null }, // fixed date: rendered, not compared
  headers: {},
  query: {},
});
const [yes = '', no = ''] = standInsOf(withLinks(scopeOf('evt_1'), [action('yes'), action('no')]));

describe('a stand-in', () => {
  it('is as long as the longest link', () => {
    expect(yes).toHaveLength(MAX_PUBLIC_URL + '/a/'.length + 24);
  });

  it('is of its event: nobody knows it before the event is there', () => {
    expect(standInsOf(withLinks(scopeOf('evt_2'), [action('yes')]))).not.toContain(yes);
  });

  it('is in no scope without actions', () => {
    const scope = scopeOf('evt_1');
    expect(withLinks(scope, [])).toBe(scope);
  });
});

describe('a text that is cut', () => {
  it('keeps the lines that have links, after the rest', () => {
    const text = `${'long '.repeat(100)}\nYes: ${yes}\nand more`;
    const cut = truncateAround(text, 200, [yes, no]);
    expect(cut).toEqual({ ok: true, value: expect.stringMatching(/^long .*…\nYes: https.*x$/s) as unknown });
  });

  it('never loses or cuts a link that it has, and is never too long', () => {
    const part = fc.oneof(fc.string(), fc.constant(yes), fc.constant(no), fc.constant('\n'));
    fc.assert(
      fc.property(fc.array(part), fc.integer({ min: 1, max: 600 }), (parts, max) => {
        const text = parts.join('');
        const cut = truncateAround(text, max, [yes, no]);
        if (text.length <= max || !cut.ok) return;
        expect(cut.value.length).toBeLessThanOrEqual(max);
        for (const link of [yes, no]) expect(cut.value.includes(link)).toBe(text.includes(link));
      }),
    );
  });

  it('fails where a link is all that would fit', () => {
    expect(truncateAround(`a ${'b'.repeat(50)} ${yes}`, 80, [yes])).toMatchObject({ ok: false });
    expect(withWholeLinks(yes, [yes.slice(0, 50), yes.slice(50)], [yes])).toMatchObject({ ok: false });
    expect(withWholeLinks(yes, ['a', yes], [yes])).toEqual({ ok: true, value: ['a', yes] });
  });
});

describe('a message that is shown', () => {
  it('has the names of its actions in its links', () => {
    const links = {
      all: [{ standIn: yes, id: 'yes', label: 'Yes', isOfEvent: false, silence: null, expiresMs: 1 }],
    };
    const message = {
      params: { message: yes },
      fallback: [{ kind: 'text', params: { message: yes } }],
      links,
    };
    const shown = { message: 'https://…/a/yes' };
    expect(withShownLinks(message)).toEqual({ params: shown, fallback: [{ kind: 'text', params: shown }] });
  });
});
