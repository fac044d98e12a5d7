import type { FormTexts } from './texts.ts';

/** The content of a page of ours. Texts, not HTML. */
export interface PageContent {
  readonly title: string;
  readonly lines: readonly string[];
  readonly list?: readonly string[];
  /** The visitor's way back. */
  readonly link?: { readonly url: string; readonly text: string };
}

const STYLE = `:root{color-scheme:light dark}
body{font:1.125rem/1.5 system-ui,sans-serif;margin:0;color:CanvasText;background:Canvas}
main{max-width:32rem;margin:0 auto;padding:12vh 1.25rem 2rem;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 1rem}
a{color:LinkText}`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '');

/** A small page in the visitor's language: light and dark, no script, no request to anywhere. */
export function pageHtml({ language }: Pick<FormTexts, 'language'>, content: PageContent): string {
  const { title, lines, list = [], link } = content;
  const items = list.map((one) => `<li>${escaped(one)}</li>`).join('\n');
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${[
  ...lines.slice(0, 1).map((line) => `<p>${escaped(line)}</p>`),
  ...(items === '' ? [] : [`<ul>\n${items}\n</ul>`]),
  ...lines.slice(1).map((line) => `<p>${escaped(line)}</p>`),
  ...(link === undefined ? [] : [`<p><a href="${escaped(link.url)}">${escaped(link.text)}</a></p>`]),
].join('\n')}
</main>
</body>
</html>
`;
}

/** `frames`: the origins whose pages may show it in a frame. */
export const pageHeaders = (frames: readonly string[]): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
});
