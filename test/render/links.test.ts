import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_PUBLIC_URL } from '../../src/config/public-url.ts';
import { standInsOf, truncateAround, withLinks, withShownLinks } from '../../src/render/links.ts';
import { renderSend } from '../../src/render/send.ts';
import { GERMAN } from '../template/helpers.ts';
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

it('a stand-in is as long as the longest link, and of its event: nobody knows it before the event is there', () => {
  expect(yes).toHaveLength(MAX_PUBLIC_URL + '/a/'.length + 24);
  expect(standInsOf(withLinks(scopeOf('evt_2'), [action('yes')]))).not.toContain(yes);
  const scope = scopeOf('evt_1');
  expect(withLinks(scope, [])).toBe(scope);
});

it('a text that is cut keeps the lines that have links, after the rest', () => {
  const text = `${'long '.repeat(100)}\nYes: ${yes}\nand more`;
  const cut = truncateAround(text, 200, [yes, no]);
  expect(cut).toMatch(/^long .*…\nYes: https.*x$/s);
});

it('a text that is cut never loses or cuts a link that it has, and is never too long', () => {
  const part = fc.oneof(fc.string(), fc.constant(yes), fc.constant(no), fc.constant('\n'));
  fc.assert(
    fc.property(fc.array(part), fc.integer({ min: 1, max: 600 }), (parts, max) => {
      const text = parts.join('');
      const cut = truncateAround(text, max, [yes, no]);
      if (text.length <= max || cut === null) return;
      expect(cut.length).toBeLessThanOrEqual(max);
      for (const link of [yes, no]) expect(cut.includes(link)).toBe(text.includes(link));
    }),
  );
});

it('a text that is cut fails where a link is all that would fit', () => {
  expect(truncateAround(`a ${'b'.repeat(50)} ${yes}`, 80, [yes])).toBeNull();
  const params = [{ name: 'text', holds: 'text' as const, texts: [{ ...label.value, source: `a ${yes}` }] }];
  const own = withLinks(scopeOf('evt_1'), [action('yes')]);
  const isSplit = (maxLength: number) =>
    renderSend({ name: 'a', maxLength, overflow: 'split' }, { params }, own, GERMAN).ok;
  expect([yes.length - 1, yes.length].map(isSplit)).toEqual([false, true]);
});

const of = (message: string) => ({
  params: { message },
  fallback: [{ kind: 'text', params: { message } }],
});

it('a message that is shown has the names of its actions in its links', () => {
  const link = { standIn: yes, id: 'yes', label: 'Yes', isOfEvent: false, silence: null, expiresMs: 1 };
  expect(withShownLinks({ ...of(yes), links: { all: [link] } })).toEqual(of('https://…/a/yes'));
});
