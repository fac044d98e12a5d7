import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatted } from '../../src/gateway/chat-format.ts';
import { bold, italic, mono, plain, strike } from '../../src/template/filters/chat.ts';

/** Texts, without signs, and as HTML. */
const ROWS = [
  ['*b* _i_ ~s~', 'b i s', '<b>b</b> <i>i</i> <s>s</s>'],
  ['*a _b_ c*', 'a b c', '<b>a <i>b</i> c</b>'],
  ['*a _b* c_', 'a _b c_', '<b>a _b</b> c_'],
  ['snake_case_name 2*3*4', 'snake_case_name 2*3*4', 'snake_case_name 2*3*4'],
  ['* not bold *', '* not bold *', '* not bold *'],
  ['*over\ntwo lines*', '*over\ntwo lines*', '*over\ntwo lines*'],
  ['```a *b*\n<c>```', 'a *b*\n<c>', '<pre>a *b*\n&lt;c&gt;</pre>'],
  ['```open', '```open', '```open'],
  ['`*x*`', '*x*', '<code>*x*</code>'],
  ['1 < 2 & *3*', '1 < 2 & 3', '1 &lt; 2 &amp; <b>3</b>'],
  ['https://x.example/a_b_c *b*', 'https://x.example/a_b_c b', 'https://x.example/a_b_c <b>b</b>'],
  [`x ${bold('Anna')} y`, 'x Anna y', 'x <b>Anna</b> y'],
  [`x ${italic('Anna')} y`, 'x Anna y', 'x <i>Anna</i> y'],
  [`x ${strike('Anna')} y`, 'x Anna y', 'x <s>Anna</s> y'],
  [`x ${mono('Anna')} y`, 'x Anna y', 'x <pre>Anna</pre> y'],
  // What `plain` takes from a stranger's text stays text, without the marks that do that.
  [`*${plain('*a* _b_ <i>c</i>')}*`, '*a* _b_ <i>c</i>', '<b>*a* _b_ &lt;i&gt;c&lt;/i&gt;</b>'],
] as const;

const letters = (text: string): string => text.replaceAll(/[^a<&\n ]/g, '');

it('chat formatting stays as it is for a chat, is left out in plain text, and becomes tags in HTML, which close in order whatever the text', () => {
  expect(
    ROWS.map(([text]) => [formatted(text, 'chat'), formatted(text, 'plain'), formatted(text, 'html')]),
  ).toEqual(ROWS);
  const unit = fc.constantFrom('*', '_', '~', '`', '```', ' ', '\n', 'a', '<', '&');
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const open: string[] = [];
      for (const [, slash, tag = ''] of formatted(text, 'html').matchAll(/<(\/?)(\w+)>/g))
        if (slash === '') open.push(tag);
        else expect(open.pop()).toBe(tag);
      expect(open).toEqual([]);
      expect(letters(formatted(text, 'plain'))).toBe(letters(text));
    }),
  );
});
