import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutLinks } from '../../../src/template/filters/chat.ts';
import { render } from '../helpers.ts';

/** Most characters: not the thousands of ideographs and syllables, which are all of a kind. */
function* charactersOfNames(): Generator<string> {
  for (const [from, to] of [
    [0x80, 0x33ff],
    [0xa000, 0xabff],
    [0xf900, 0xffff],
    [0x1d400, 0x1f9ff],
    [0xe0000, 0xe01ff],
  ] as const)
    for (let code = from; code <= to; code += 1) yield String.fromCodePoint(code);
}

/** True if a browser, or one that normalizes first, reads the text as a host with a dot in it. */
function namesHost(text: string): boolean {
  const readAs = URL.parse(`https://${text}/`)?.hostname ?? '';
  return readAs.includes('.') || /^[a-z]+\.[a-z]+$/i.test(text.normalize('NFKC'));
}

it.each([
  ['Ada Lovelace', 'Ada Lovelace'],
  ['J. R. R. Tolkien', 'J. R. R. Tolkien'],
  ['Dr.Who', 'Dr. Who'],
  ['Ada https://evil.example/?a=b&c win', 'Ada  win'],
  ['HTTP://evil.example', ''],
  ['www.evil.example/win', ''],
  ['xhttps://evil.example', 'x'],
  ['evil.example/win', 'evil. example/win'],
  ['evil。example', 'evil。 example'],
  ['ada@evil.example', 'ada@evil. example'],
  ['ftp://evil', 'ftp evil'],
  ['hhttps://ttps://evil.example', 'h'],
  ['wwwww.w.evil.example', 'ww'],
  ['10.0.0.1', '10. 0. 0. 1'],
  ['café.com'.normalize('NFD'), 'café. com'.normalize('NFD')],
  ['हिन्दी.com', 'हिन्दी. com'],
  ['i❤.ws', 'i❤. ws'],
  ['i❤️.ws', 'i❤️. ws'],
  ['evil․com', 'evil․ com'],
  ['ｅｖｉｌ．ｃｏｍ', 'ｅｖｉｌ． ｃｏｍ'],
  ['evil﹒com', 'evil﹒ com'],
  ['evil.\u200bcom', 'evil. \u200bcom'],
  ['evil\u00ad.com', 'evil\u00ad. com'],
  ['evil.ⓒⓞⓜ', 'evil. ⓒⓞⓜ'],
  ['Wait… what?', 'Wait… what?'],
  ['“Well.” Dr.-Ing. Jones (jun.)', '“Well.” Dr.-Ing. Jones (jun.)'],
])('without_links %s becomes %s', (text, expected) => {
  expect(withoutLinks(text)).toBe(expected);
});

it('without_links leaves nothing that a chat would make a link of', () => {
  const texts = ['https://', 'http', 's:', '//', 'www', 'evil', 'example'];
  const part = fc.constantFrom(...texts, '.', ' ', '@', '/', '。');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      expect(withoutLinks(parts.join(''))).not.toMatch(/:\/\/|www\.[a-z]|[a-z0-9][.。][a-z0-9]/i);
    }),
  );
});

it('without_links leaves no host that a browser reads, whichever character is its dot or stands beside it', () => {
  const left: string[] = [];
  for (const one of charactersOfNames()) {
    const hosts = [`evil${one}com`, `evil${one}.com`, ...(/\p{P}/u.test(one) ? [] : [`evil.${one}com`])];
    for (const host of hosts)
      if (namesHost(host) && /^\S+$/.test(withoutLinks(host))) left.push(`${one.codePointAt(0)}: ${host}`);
  }
  expect(left).toEqual([]);
});

it('without_links is a filter, for the name of a stranger', () => {
  const template = '{{ payload.name | without_links | squish | truncate_chars: 40 | plain }}';
  for (const [name, shown] of [
    ['Ada www.evil.example  Lovelace', 'Ada Lovelace'],
    ['Ada evil.\u0001com', 'Ada evil. com'],
    ['Ada evil.\u0000\u202ecom', 'Ada evil. com'],
  ] as const)
    expect(render(template, { name })).toBe(shown);
});
