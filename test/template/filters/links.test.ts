import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutLinks } from '../../../src/template/filters/links.ts';
import { render } from '../helpers.ts';

describe('without_links', () => {
  it.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['J. R. R. Tolkien', 'J. R. R. Tolkien'],
    ['Dr.Who', 'Dr. Who'],
    ['Ada https://evil.example/?a=b&c win', 'Ada  win'],
    ['HTTP://evil.example', ''],
    ['www.evil.example/win', ''],
    ['xhttps://evil.example', 'x'],
    ['evil.example/win', 'evil. example/win'],
    ['evil。example', 'evil. example'],
    ['ada@evil.example', 'ada@evil. example'],
    ['ftp://evil', 'ftp evil'],
    ['hhttps://ttps://evil.example', 'h'],
    ['wwwww.w.evil.example', 'ww'],
    ['10.0.0.1', '10. 0. 0. 1'],
  ])('%s becomes %s', (text, expected) => {
    expect(withoutLinks(text)).toBe(expected);
  });

  it('leaves nothing that a chat would make a link of', () => {
    const part = fc.constantFrom(
      'https://',
      'http',
      's:',
      '//',
      'www',
      '.',
      'evil',
      'example',
      ' ',
      '@',
      '/',
      '。',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        expect(withoutLinks(parts.join(''))).not.toMatch(/:\/\/|www\.[a-z]|[a-z0-9][.。][a-z0-9]/i);
      }),
    );
  });

  it('is a filter, for the name of a stranger', () => {
    const template = '{{ payload.name | without_links | squish | truncate_chars: 40 | plain }}';
    expect(render(template, { name: 'Ada www.evil.example  Lovelace' })).toBe('Ada Lovelace');
  });
});
