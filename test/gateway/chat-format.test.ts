import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatted } from '../../src/gateway/chat-format.ts';
import { bold, italic, mono, plain, strike } from '../../src/template/filters/chat.ts';

const letters = (text: string): string => text.replaceAll(/[^a<&\n ]/g, '');

describe('chat formatting', () => {
  it.each([
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
    ['', '', ''],
  ])('%j is %j without signs, and %j as HTML', (text, asPlain, asHtml) => {
    expect(formatted(text, 'chat')).toBe(text);
    expect(formatted(text, 'plain')).toBe(asPlain);
    expect(formatted(text, 'html')).toBe(asHtml);
  });

  it.each([
    ['bold', bold, 'b'],
    ['italic', italic, 'i'],
    ['strike', strike, 's'],
    ['mono', mono, 'pre'],
  ] as const)('of the filter %s is the tag that means the same', (_, filter, tag) => {
    expect(formatted(`x ${filter('Anna')} y`, 'html')).toBe(`x <${tag}>Anna</${tag}> y`);
    expect(formatted(`x ${filter('Anna')} y`, 'plain')).toBe('x Anna y');
  });

  it('that `plain` takes from a stranger’s text stays text, without the marks that do that', () => {
    const text = `*${plain('*a* _b_ <i>c</i>')}*`;
    expect(formatted(text, 'html')).toBe('<b>*a* _b_ &lt;i&gt;c&lt;/i&gt;</b>');
    expect(formatted(text, 'plain')).toBe('*a* _b_ <i>c</i>');
  });

  it('is HTML whose tags close in order, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('*', '_', '~', '`', '```', ' ', '\n', 'a', '<', '&') }),
        (text) => {
          const open: string[] = [];
          for (const [, slash, tag = ''] of formatted(text, 'html').matchAll(/<(\/?)(\w+)>/g))
            if (slash === '') open.push(tag);
            else expect(open.pop()).toBe(tag);
          expect(open).toEqual([]);
          expect(letters(formatted(text, 'plain'))).toBe(letters(text));
        },
      ),
    );
  });
});
