import { readMarkdown, type MarkdownPiece } from '../lib/markdown.ts';

/** A few lines of Markdown: what to click at a provider. */
export function Markdown({ text }: { text: string }) {
  const lines = readMarkdown(text);
  const isList = lines.length > 0 && lines.every(({ is }) => is !== 'text');
  const List = lines[0]?.is === 'item' ? 'ul' : 'ol';
  if (isList)
    return (
      <List class="markdown">
        {lines.map(({ pieces }, at) => (
          <li key={at}>
            <Pieces pieces={pieces} />
          </li>
        ))}
      </List>
    );
  return (
    <div class="markdown">
      {lines.map(({ is, pieces }, at) => (
        <p key={at} class={is === 'text' ? undefined : 'markdown-item'}>
          <Pieces pieces={pieces} />
        </p>
      ))}
    </div>
  );
}

const Pieces = ({ pieces }: { pieces: readonly MarkdownPiece[] }) => (
  <>
    {pieces.map(({ text, look: Look, href }, at) =>
      href !== undefined ? (
        <a key={at} href={href} target="_blank" rel="noopener noreferrer">
          {text}
        </a>
      ) : Look === undefined ? (
        text
      ) : (
        <Look key={at}>{text}</Look>
      ),
    )}
  </>
);
