import { describe, expect, it } from 'vitest';
import { unescapeHtml, wikiText } from '../../../src/template/filters/markup.ts';
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

describe('the words of wiki markup', () => {
  it.each([
    ['[~ada] can you look?', '@ada can you look?'],
    ['[~accountid:5b10ac8d82e05b22cc7d4ef5] can you look?', '@… can you look?'],
    ['{color:#ff0000}stop{color} now', 'stop now'],
    ['{code:java}x = 1;{code}', 'x = 1;'],
    ['see !screen shot.png! and !log-1.png|thumbnail!', 'see !screen shot.png! and [log-1.png]'],
    ['[the log|https://logs.example/1]', 'the log (https://logs.example/1)'],
    ['[https://a.example|https://a.example|smart-link]', 'https://a.example'],
    ['[https://a.example]', 'https://a.example'],
    ['h2. Steps\nfirst', 'Steps\nfirst'],
    ['Stop! It is {broken} [here] !now!', 'Stop! It is {broken} [here] !now!'],
  ])('%s', (text, words) => {
    expect(wikiText(text)).toBe(words);
    expect(render('{{ payload.t | wiki_text }}', { t: text })).toBe(words);
  });

  it.each(['!', '[~', '[a|', '{color:', 'h1. ', '[https://', '!a.'])(
    '%s many times over costs no more than its length',
    (part) => {
      const started = performance.now();
      wikiText(part.repeat(1_000_000 / part.length));
      expect(performance.now() - started).toBeLessThan(2_000);
    },
  );
});
