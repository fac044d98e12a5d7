import { describe, expect, it } from 'vitest';
import { pageHeaders, pageHtml } from '../../../src/ingest/form/page.ts';

describe('a page of ours', () => {
  const hostile = `"><script>alert('1')</script>&`;
  const html = pageHtml(
    { language: 'de' },
    { title: hostile, lines: [hostile], list: [hostile], link: { url: hostile, text: hostile } },
  );

  it('shows every text as text', () => {
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;');
  });

  it('says its language', () => {
    expect(html).toContain('<html lang="de">');
  });

  it('runs nothing, loads nothing, and is kept by nobody', () => {
    const headers = pageHeaders(['https://shop.example']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain('frame-ancestors https://shop.example');
    expect(headers['cache-control']).toBe('no-store');
  });
});
