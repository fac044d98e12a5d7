/** Markup that is safe to put into a page as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Html | string | number | readonly Piece[] | null;

/** A template of markup: texts that are put in are escaped, markup and lists of it are not. Its own indents go. */
export const markup = (strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html =>
  new Html(
    strings
      .map(
        (text, at) => text.replaceAll(/\n\s+/g, '\n') + (at < pieces.length ? show(pieces[at] ?? null) : ''),
      )
      .join(''),
  );

function show(piece: Piece): string {
  if (piece === null) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'string' || typeof piece === 'number') return escape(String(piece));
  return piece.map(show).join('');
}

const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** What descriptions use of Markdown: paragraphs, `code` and *emphasis*. */
export const paragraphs = (markdown: string): Html =>
  markup`${markdown.split('\n\n').map((paragraph) => markup`<p>${inline(paragraph)}</p>`)}`;

/** One paragraph's worth of it, without the paragraph. */
export function inline(markdown: string): Html {
  // With a capture group `split` alternates: text, code, text, …
  const parts = markdown
    .split(/`([^`]*)`/)
    .map((text, at) => (at % 2 === 1 ? markup`<code>${text}</code>` : markup`${text}`));
  return markup`${parts}`;
}
