import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A page as one document that loads nothing else from here. */
export type ServedPage = Readonly<{ html: string; headers: Readonly<Record<string, string>> }>;

/** Builds the page from `page/`: style and script are put into the document, and only they are allowed to run. */
export async function renderPage(): Promise<ServedPage> {
  const [template, style, script] = await Promise.all(['index.html', 'chat.css', 'chat.js'].map(readPart));
  if (template === undefined || style === undefined || script === undefined)
    throw new Error('A part of the page is missing');
  // Functions as replacements: `$&` in a script is not a pattern.
  const html = template
    .replace('<!-- style -->', () => `<style>${style}</style>`)
    .replace('<!-- script -->', () => `<script>${script}</script>`);
  return { html, headers: headersFor(style, script) };
}

/** Answers `GET` and `HEAD`. */
export function servePage(request: IncomingMessage, response: ServerResponse, page: ServedPage): void {
  if (request.method === 'GET' || request.method === 'HEAD') {
    response.writeHead(200, page.headers).end(request.method === 'GET' ? page.html : undefined);
  } else {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
  }
}

const readPart = (name: string): Promise<string> => readFile(join(import.meta.dirname, 'page', name), 'utf8');

/** Messages show pictures and sounds from anywhere; nothing else is loaded, and nothing is sent. */
const headersFor = (style: string, script: string): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    `script-src '${sha256(script)}'`,
    `style-src '${sha256(style)}'`,
    'img-src http: https: data:',
    'media-src http: https:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
});

const sha256 = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
