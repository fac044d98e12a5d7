import { html, type raw } from 'hono/html';

/** Markup that is safe to put into a page as it is. */
export type Html = ReturnType<typeof raw>;

type Piece = string | number | readonly Piece[] | null;

/** A template of markup. Escapes inserted texts, but not markup or lists of it. Removes its own indentation. */
export function markup(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const dense = strings.map((text) => text.replaceAll(/\n\s+/g, '\n'));
  const made = html(Object.assign(dense, { raw: dense }), ...pieces);
  // The result is a promise only if a piece is one, and a `Piece` never is.
  if (made instanceof Promise) throw new TypeError('a piece of markup was a promise');
  return made;
}

/** The Markdown that descriptions use: paragraphs, `code` and *emphasis*. */
export const paragraphs = (markdown: string): Html =>
  markup`${markdown.split('\n\n').map((paragraph) => markup`<p>${inline(paragraph)}</p>`)}`;

/** The same for one paragraph, without its `<p>`. */
export function inline(markdown: string): Html {
  // With a capture group `split` alternates: text, code, text, …
  const parts = markdown
    .split(/`([^`]*)`/)
    .map((text, at) => (at % 2 === 1 ? markup`<code>${text}</code>` : markup`${text}`));
  return markup`${parts}`;
}
