import { formatted } from '../../gateway/chat-format.ts';
import { withoutControls } from '../../lib/text.ts';
import { escapeHtml } from '../../template/filters/words.ts';
import type { FormTexts } from './texts.ts';

/** The content of one of our pages: texts, not HTML. */
export interface PageContent {
  readonly title: string;
  readonly lines: readonly string[];
  readonly list?: readonly string[];
  /** A message, with its line breaks and chat formatting. */
  readonly quote?: string;
  /** A button that posts to the page's own address, with this query. */
  readonly button?: { readonly text: string; readonly query: string; readonly isQuiet: boolean };
  readonly link?: { readonly url: string; readonly text: string };
}

const STYLE = `:root{color-scheme:light dark}
body{font:1.125rem/1.5 system-ui,sans-serif;margin:0;color:CanvasText;background:Canvas}
main{max-width:32rem;margin:0 auto;padding:12vh 1.25rem 2rem;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 1rem}
a{color:light-dark(#5242d6,#a89fff)}
blockquote{margin:0 0 1.5rem;padding:.75rem 1rem;border-left:.25rem solid;white-space:pre-wrap}
pre{display:inline;white-space:pre-wrap}
button{font:inherit;font-weight:600;width:100%;min-height:4rem;padding:.75rem 1rem;border:0;border-radius:.75rem;color:light-dark(#fff,#15121f);background:light-dark(#5242d6,#a89fff)}
button.quiet{font-weight:400;min-height:3rem;border:1px solid;color:CanvasText;background:none}
button:focus-visible{outline:3px solid CanvasText;outline-offset:3px}`;

const escaped = (text: string): string => escapeHtml(withoutControls(text));

/** Returns a small page in the visitor's language: light and dark, without scripts or requests to other servers. */
export function pageHtml({ language }: Pick<FormTexts, 'language'>, content: PageContent): string {
  const { title, lines, list = [], quote = '', button, link } = content;
  const [first, ...others] = lines.map((line) => `<p>${escaped(line)}</p>`);
  const items = list.map((one) => `<li>${escaped(one)}</li>`).join('\n');
  const look = button?.isQuiet === true ? ' class="quiet"' : '';
  const parts = [
    first,
    items !== '' && `<ul>\n${items}\n</ul>`,
    quote !== '' && `<blockquote>${formatted(withoutControls(quote), 'html')}</blockquote>`,
    ...others,
    button &&
      `<form method="post" action="${escaped(button.query)}"><button${look}>${escaped(button.text)}</button></form>`,
    link && `<p><a href="${escaped(link.url)}">${escaped(link.text)}</a></p>`,
  ];
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
${parts.filter(Boolean).join('\n')}
</main>
</body>
</html>
`;
}

/** `frames`: the origins whose pages may show it in a frame. `posts`: true if it has a button. */
export const pageHeaders = (frames: readonly string[], posts = false): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action ${posts ? "'self'" : "'none'"}; frame-ancestors ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
});
