import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  bold,
  italic,
  mono,
  plain,
  strike,
  unescapeHtml,
  wikiText,
} from '../../../src/template/filters/chat.ts';
import { render } from '../helpers.ts';

const J = '\u2060';

it('bold, italic and strike set their signs line by line, leave white space outside, and nothing empty', () => {
  expect([bold('a b'), italic('a b'), strike('a b')]).toEqual(['*a b*', '_a b_', '~a b~']);
  expect(bold('  a b ')).toBe('  *a b* ');
  expect(italic('a\n\n b\r\nc')).toBe('_a_\n\n _b_\r\n_c_');
  expect([bold(''), bold(' \n '), italic(''), strike(''), mono(' ')]).toEqual(['', ' \n ', '', '', ' ']);
});

it('formats stop their own sign inside, and no other; mono spans lines', () => {
  expect(bold('a*b _c_')).toBe(`*a${J}*${J}b _c_*`);
  expect(render('{{ "a" | italic | bold }}')).toBe('*_a_*');
  expect(mono('a\nb')).toBe('```a\nb```');
  expect(mono('a```b')).toBe(`\`\`\`a\`${J}\`${J}\`${J}b\`\`\``);
});

it.each([
  ['*hi*', `${J}*${J}hi${J}*${J}`],
  ['😀*b*', `😀${J}*${J}b${J}*${J}`],
  ['a`b', `a${J}\`${J}b`],
  ['snake_case 2*3', 'snake_case 2*3'],
  ['> quoted', `${J}> quoted`],
  ['a\n- b\n1. c', `a\n${J}- b\n${J}1. c`],
])('plain %s', (text, expected) => {
  expect(plain(text)).toBe(expected);
});

it('plain lets no control character through, and leaves lines, tabs and joiners as they are', () => {
  expect(plain('a\u0000b\u001b[1mc\u0007\u202Ecod.exe\u2066\u200f\u061c\u0085')).toBe('ab[1mccod.exe');
  for (const text of ['a\tb\nc', '👩\u200d🚒', 'می\u200cخواهم', '🏴󠁧󠁢󠁥󠁮󠁧󠁿']) expect(plain(text)).toBe(text);
  expect(plain('a\r\nb\rc')).toBe('a\nb\nc');
  const hostile = { t: 'a\u0000\u0000b' };
  for (const template of [
    '{{ payload.t }}',
    '{{ payload.t | bold }}',
    '{{ payload.t | upcase | downcase }}',
    'a\0b',
  ])
    expect(render(template, hostile)).not.toContain('\0');
});

it('plain looks for an address from the start of its word only, not from each of its letters on', () => {
  const local = '_'.repeat(70);
  expect(plain(`${local}@example.org`)).not.toContain('@example.org'.padStart(20, '_'));
  expect(plain(`${'_'.repeat(64)}@example.org`)).toBe(`${'_'.repeat(64)}@example.org`);
});

it('plain leaves no sign without a joiner on both sides, unless within a word', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ab *_~`\n.]{0,30}$/), (text) => {
      const stopped = plain(text);
      expect(stopped.replaceAll(J, '')).toBe(text);
      for (const { index, 0: sign } of stopped.matchAll(/[*_~`]/g)) {
        const before = stopped[index - 1] ?? '';
        const after = stopped[index + 1] ?? '';
        const inWord = sign !== '`' && /[a-z*_~]/.test(before) && /[a-z*_~]/.test(after);
        expect(inWord || (before === J && after === J)).toBe(true);
      }
    }),
  );
});

it('plain leaves links and e-mail addresses byte for byte, whatever stands around them', () => {
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

it.each([
  ['5&#x2033; &quot;tin&quot;', '5″ "tin"'],
  ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
  [
    'f&uuml;r &Uuml;bergr&ouml;&szlig;e, Fran&ccedil;ois &Aring;s &uml; &nbspx;',
    'für Übergröße, François Ås &uml; &nbspx;',
  ],
  ['&copy; &pound;5 &laquo;20&deg;&raquo;', '© £5 «20°»'],
  ['&unknown; &#99999999; &; & co &#xD800;&#55357;&#56832;', '&unknown; &#99999999; &; & co 😀'],
])('the HTML entities of %s are read', (text, read) => {
  expect(unescapeHtml(text)).toBe(read);
  expect(render('{{ payload.t | unescape }}', { t: text })).toBe(read);
});

const decoded = (t: string) => render('{{ payload.t | base64_decode }}', { t });

it('base64_decode fails where the bytes are no text: nobody would know what stood there', () => {
  expect([decoded('TcO8aGxl'), decoded('8J+YgA==')]).toEqual(['Mühle', '😀']);
  for (const t of ['TfxobGU=', '7aC9']) expect(decoded(t)).toContain('the bytes are no text in UTF-8');
});

it.each([
  ['[~ada] can you look?', '@ada can you look?'],
  ['[~accountid:5b10ac8d82e05b22cc7d4ef5] can you look?', '@… can you look?'],
  ['{code:java}x = 1;{code}', 'x = 1;'],
  ['see !screen shot.png! and !log-1.png|thumbnail!', 'see !screen shot.png! and [log-1.png]'],
  ['[https://a.example|https://a.example|smart-link]', 'https://a.example'],
  ['h2. Steps\nfirst', 'Steps\nfirst'],
  ['Stop! It is {broken} [here] !now!', 'Stop! It is {broken} [here] !now!'],
])('the words of wiki markup %s', (text, words) => {
  expect(wikiText(text)).toBe(words);
  expect(render('{{ payload.t | wiki_text }}', { t: text })).toBe(words);
});

it('the words of wiki markup many signs cost no more than their length: a square of it would take hours', () => {
  for (const part of ['!', '[~', '[a|', '{color:', 'h1. ', '[https://', '!a.'])
    expect(wikiText(part.repeat(1_000_000 / part.length))).not.toBe('');
});
