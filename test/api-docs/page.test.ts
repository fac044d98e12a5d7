import { expect, it } from 'vitest';
import { describeApi } from '../../api-docs/document.ts';
import { curlOf } from '../../api-docs/page/curl.ts';
import { inline, markup, paragraphs } from '../../api-docs/page/html.ts';
import { docsPage } from '../../api-docs/page/page.ts';
import { ROUTES } from '../../api-docs/routes.ts';
import { REQUEST_BODIES } from '../../api-docs/request-bodies.ts';

const page = docsPage(describeApi('1.2.3'), 'body { margin: 0 }');

it('the page shows every route', () => {
  const missing = ROUTES.filter(({ id }) => !page.includes(`<section class="route" id="${id}"`));
  expect(missing).toEqual([]);
});

it('the page has every place that it links to, once', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(ids.length).toBe(new Set(ids).size);
  expect([...new Set(links)].filter((id) => !ids.includes(id))).toEqual([]);
  expect(links.length).toBeGreaterThan(300);
});

it('the page loads nothing, runs nothing, and names its one style', () => {
  expect(page).not.toMatch(/<script|<img|<iframe|\son\w+=|https?:\/\/(?!.*example)[^<]*"/i);
  expect(page).toContain('<style>body { margin: 0 }</style>');
  expect(page).toMatch(/default-src &#39;none&#39;; img-src data:; style-src &#39;sha256-[\w+/]{43}=&#39;/);
});

it('markup escapes what is put in and nothing else, and knows of Markdown what the descriptions use', () => {
  expect(markup`<p title="${'"'}">${'<b> & </b>'}</p>`.toString()).toBe(
    '<p title="&quot;">&lt;b&gt; &amp; &lt;/b&gt;</p>',
  );
  expect(markup`<ul>${['a', 'b'].map((one) => markup`<li>${one}</li>`)}</ul>${null}`.toString()).toBe(
    '<ul><li>a</li><li>b</li></ul>',
  );
  expect(inline('a `b<c` d').toString()).toBe('a <code>b&lt;c</code> d');
  expect(paragraphs('a\n\nb').toString()).toBe('<p>a</p><p>b</p>');
});

it('a line for a shell asks as the route wants, by parameters with an example, whatever quotes a body has', () => {
  const route = { id: 'x', tag: 'messages', summary: 'x', query: [], guesses: [], answers: {} } as const;
  const role = 'editor';
  expect(curlOf({ ...route, role, method: 'DELETE', path: '/sources/{id}' }, 'shop')).toBe(
    'curl -X DELETE -H "$AUTH" "$API/sources/shop"',
  );
  const examples = { one: { value: { it: "isn't" } }, two: { value: 2 } };
  const body = { schema: REQUEST_BODIES.bulk, examples, isOptional: false };
  expect(curlOf({ ...route, role, method: 'POST', path: '/messages/retry', body }, '')).toBe(
    `curl -H "$AUTH" "$API/messages/retry" -d '{\n  "it": "isn'\\''t"\n}'`,
  );
  const query = [{ name: 'since', schema: REQUEST_BODIES.bulk, description: '', example: '2 h' }];
  expect(curlOf({ ...route, role: null, method: 'GET', path: '/events', query }, '')).toBe(
    'curl "$API/events?since=2%20h"',
  );
});
