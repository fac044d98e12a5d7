import { readMarkdown, type MarkdownPiece } from '../../shared/markdown.ts';

/** A few lines of Markdown: what to click at a provider. */
export function Markdown({ text }: { text: string }) {
  const lines = readMarkdown(text).filter(({ pieces }) => pieces.length > 0);
  const isList = lines.length > 0 && lines.every(({ bullet }) => bullet !== '');
  const List = /\d/.test(lines[0]?.bullet ?? '') ? 'ol' : 'ul';
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
      {lines.map(({ bullet, pieces }, at) => (
        <p key={at} class={bullet === '' ? undefined : 'markdown-item'}>
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
