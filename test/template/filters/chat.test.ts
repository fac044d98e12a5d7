import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bold, italic, mono, plain, strike } from '../../../src/template/filters/chat.ts';
import { render } from '../helpers.ts';

const J = '\u2060';
const visible = (text: string): string => text.replaceAll(J, '');

describe('bold, italic, strike', () => {
  it.each([
    [bold, '*a b*'],
    [italic, '_a b_'],
    [strike, '~a b~'],
  ])('%o sets its signs', (format, expected) => {
    expect(format('a b')).toBe(expected);
  });

  it('leave white space outside, where the signs would not work', () => {
    expect(bold('  a b ')).toBe('  *a b* ');
  });

  it('format line by line, since formatting ends with the line', () => {
    expect(italic('a\n\n b\r\nc')).toBe('_a_\n\n _b_\r\n_c_');
  });

  it('leave nothing empty', () => {
    expect([bold(''), bold(' \n '), italic(''), strike(''), mono(' ')]).toEqual(['', ' \n ', '', '', ' ']);
    expect(render('[{{ payload.a | bold }}]')).toBe('[]');
  });

  it('stop their own sign inside, and no other', () => {
    expect(bold('a*b _c_')).toBe(`*a${J}*${J}b _c_*`);
    expect(render('{{ "a" | italic | bold }}')).toBe('*_a_*');
  });
});

describe('mono', () => {
  it('spans lines and stops backticks inside', () => {
    expect(mono('a\nb')).toBe('```a\nb```');
    expect(mono('a```b')).toBe(`\`\`\`a\`${J}\`${J}\`${J}b\`\`\``);
  });
});

describe('plain', () => {
  it.each([
    ['*hi*', `${J}*${J}hi${J}*${J}`],
    ['a *b* c', `a ${J}*${J}b${J}*${J} c`],
    ['***', `${J}*${J}*${J}*${J}`],
    ['😀*b*', `😀${J}*${J}b${J}*${J}`],
    ['`x`', `${J}\`${J}x${J}\`${J}`],
    ['a`b', `a${J}\`${J}b`],
    ['snake_case 2*3', 'snake_case 2*3'],
    ['> quoted', `${J}> quoted`],
    ['a\n- b\n1. c', `a\n${J}- b\n${J}1. c`],
  ])('%s', (text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  it('looks for an address from the start of its word only, not from each of its letters on', () => {
    const local = '_'.repeat(70);
    expect(plain(`${local}@example.org`)).not.toContain('@example.org'.padStart(20, '_'));
    expect(plain(`${'_'.repeat(64)}@example.org`)).toBe(`${'_'.repeat(64)}@example.org`);
  });

  it('leaves no sign without a joiner on both sides, unless within a word', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab *_~`\n.]{0,30}$/), (text) => {
        const stopped = plain(text);
        expect(visible(stopped)).toBe(text);
        for (const { index, 0: sign } of stopped.matchAll(/[*_~`]/g)) {
          const before = stopped[index - 1] ?? '';
          const after = stopped[index + 1] ?? '';
          const inWord = sign !== '`' && /[a-z*_~]/.test(before) && /[a-z*_~]/.test(after);
          expect(inWord || (before === J && after === J)).toBe(true);
        }
      }),
    );
  });

  it('leaves links and e-mail addresses byte for byte, whatever stands around them', () => {
    const link = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.stringMatching(/^https:\/\/example\.com\/[a-z*_~`()]{0,15}$/),
      fc.stringMatching(/^[a-z_.+]{1,10}@[a-z]{1,5}\.example$/),
    );
    const around = fc.stringMatching(/^[ab*_~ \n-]{0,10}$/);
    fc.assert(
      fc.property(around, link, around, (before, address, after) => {
        expect(plain(`${before} ${address} ${after}`)).toContain(` ${address} `);
      }),
    );
    expect(plain('_https://example.com/_a_*b*_')).toContain('https://example.com/_a_*b*');
  });

  it('takes any value, and keeps nothing empty', () => {
    expect(render('{{ payload.a | plain }}{{ payload.b | plain }}', { a: 5 })).toBe('5');
  });
});
