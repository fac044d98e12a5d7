import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseChatText, plainChatText } from '../../../shared/phone/chat-text.ts';
import type { Span } from '../../../shared/phone/chat-text.ts';

/** Spans as text: marks as tags in braces, links in angle brackets. */
const show = (spans: readonly Span[]): string =>
  spans
    .map(({ text, marks, href }) => {
      const shown = href === undefined ? text : `<${href}>`;
      return marks.length === 0 ? shown : `{${marks.join('+')}:${shown}}`;
    })
    .join('');

describe('marks', () => {
  test.each([
    ['*bold*', '{bold:bold}'],
    ['_italic_ ~strike~', '{italic:italic} {strike:strike}'],
    ['`code` and ```a *b*\nc```', '{mono:code} and {mono:a *b*\nc}'],
    ['*bold _both_*', '{bold:bold }{bold+italic:both}'],
    ['(*bold*), *bold*!', '({bold:bold}), {bold:bold}!'],
    ['two *words here*', 'two {bold:words here}'],
  ])('%j', (text, expected) => {
    expect(show(parseChatText(text))).toBe(expected);
  });

  test.each([
    '2*3*4',
    'snake_case_name',
    '* a *',
    '*a *',
    '**',
    '*open',
    '*over\nlines*',
    'a * b',
    '```',
    '__',
  ])('%j is not marked', (text) => {
    expect(show(parseChatText(text))).toBe(text);
  });
});

describe('links', () => {
  test.each([
    ['see https://a.example/x_y_z?a=1.', 'see <https://a.example/x_y_z?a=1>.'],
    ['(http://a.example)', '(<http://a.example>)'],
    ['*https://a.example/b*', '{bold:<https://a.example/b>}'],
    ['<https://a.example>', '<<https://a.example>>'],
  ])('%j', (text, expected) => {
    expect(show(parseChatText(text))).toBe(expected);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://a.example', 'https://'])(
    '%j is no link',
    (text) => {
      expect(parseChatText(text).every(({ href }) => href === undefined)).toBe(true);
    },
  );

  test('every link is http or https', () => {
    fc.assert(
      fc.property(fc.string(), (text) =>
        parseChatText(`https://a.example/${text}`).every(
          ({ href }) => href === undefined || /^https?:\/\//.test(href),
        ),
      ),
    );
  });
});

const letters = (value: string): string => value.replaceAll(/[*_~`]/g, '');

test('nothing but delimiters is taken away from a text', () => {
  const pieces = fc.array(
    fc.constantFrom('*', '_', '~', '`', '```', 'a', ' ', '\n', 'é', '😀', 'https://a.example/_b_'),
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('');
      const shown = parseChatText(text)
        .map((span) => span.text)
        .join('');
      expect(letters(shown)).toBe(letters(text));
    }),
  );
});

test('a very long text is cut for display', () => {
  const shown = parseChatText('x'.repeat(1_000_000));
  expect(plainChatText(shown)).toBe(`${'x'.repeat(8192)}…`);
});

test('plain text is one line without delimiters', () => {
  expect(plainChatText(parseChatText(' *Hello*\n  _you_ '))).toBe('Hello you');
});
