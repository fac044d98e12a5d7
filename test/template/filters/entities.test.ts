import { describe, expect, it } from 'vitest';
import { unescapeHtml } from '../../../src/template/filters/entities.ts';
import { render } from '../helpers.ts';

describe('HTML entities', () => {
  it.each([
    ['Cups &amp; saucers', 'Cups & saucers'],
    ['Tea &#8211; green', 'Tea – green'],
    ['5&#x2033; &quot;tin&quot;', '5″ "tin"'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['&unknown; &#99999999; &; & co &#xD800;', '&unknown; &#99999999; &; & co \ufffd'],
  ])('%s', (text, read) => {
    expect(unescapeHtml(text)).toBe(read);
    expect(render('{{ payload.t | unescape }}', { t: text })).toBe(read);
  });
});
