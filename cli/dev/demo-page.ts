import * as z from 'zod/mini';
import { formHtml } from '../../shared/new-source/form-html.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import type { ServedPage } from '../../simulator/page.ts';

/** The demo's source that is a form, and where its page is on the simulator's server. */
export const FORM_SOURCE = 'contact-form';
export const PAGE_PATH = '/contact';
export const pageUrl = (port: number): string => `http://localhost:${port}${PAGE_PATH}`;

/** The origins of a page on this port of this machine: a browser says the name by which the page was opened. */
export const pageOrigins = (port: number): readonly string[] =>
  ['localhost', '127.0.0.1'].map((host) => `http://${host}:${port}`);

const form = z.looseObject({ provider: z.literal('html-form'), origins: z.unknown() });

/** The same documents, with a form that pages of these origins may post. */
export function withOrigins(documents: ConfigSet, origins: readonly string[]): ConfigSet {
  const { data } = form.safeParse(documents.sources[FORM_SOURCE]);
  if (data === undefined) return documents;
  return { ...documents, sources: { ...documents.sources, [FORM_SOURCE]: { ...data, origins } } };
}

/** The page of a shop, with the HTML that `init` prints for this source. */
export function demoPage(source: unknown, relayUrl: string): ServedPage {
  const made = formHtml(source, `${relayUrl}/hooks/${FORM_SOURCE}`);
  if (made === null) throw new Error(`the source ${FORM_SOURCE} of the demo is no form with fields`);
  return { html: `${START}\n${made.html}\n${END}`, headers: headersFor(relayUrl) };
}

const START = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Contact – the demo's shop</title>
<style>:root { color-scheme: light dark; font-family: system-ui, sans-serif } main { max-width: 30rem; margin: 2rem auto; padding: 0 1rem }</style>
</head>
<body>
<main>
<h1>Write to us</h1>`;

const END = '</main>\n</body>\n</html>';

/** The page says its whole address, for the link by which a visitor comes back to it. */
const headersFor = (relayUrl: string): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `form-action ${relayUrl}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer-when-downgrade',
});
