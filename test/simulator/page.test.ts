import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { renderPage } from '../../simulator/page.ts';
import { startBench } from './harness.ts';

const contentOf = (html: string, tag: 'script' | 'style') =>
  new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(html)?.[1] ?? '';
const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('the page', () => {
  test('is served at / with a policy that lets only its own script and style run', async () => {
    const bench = await startBench();
    const answer = await fetch(`${bench.simulator.url}/`);
    const html = await answer.text();
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain(`script-src ${sha256(contentOf(html, 'script'))};`);
    expect(policy).toContain(`style-src ${sha256(contentOf(html, 'style'))};`);
  });

  test('is one document: nothing is loaded from elsewhere', async () => {
    const { html } = await renderPage();
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/\bsrc=|@import|url\(|href="(?!#|data:)/);
  });

  test('has a script that compiles', async () => {
    const { html } = await renderPage();
    const script = contentOf(html, 'script');
    expect(script).toContain('EventSource');
    expect(() => new Script(script)).not.toThrow();
  });

  test('never turns received text into markup', async () => {
    const { html } = await renderPage();
    expect(contentOf(html, 'script')).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval\(/,
    );
  });

  test('answers HEAD without a body and nothing else', async () => {
    const bench = await startBench();
    const head = await fetch(`${bench.simulator.url}/`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const post = await fetch(`${bench.simulator.url}/`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
