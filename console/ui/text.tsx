import type { ComponentChildren } from 'preact';
import { relayText } from '../texts/relay-texts.ts';

/** A sentence of the relay, which is in English. */
export const RelayText = ({ text }: { text: string }) => <Coded text={relayText(text)} />;

interface CodedProps {
  readonly text: string;
  readonly show?: (part: string) => ComponentChildren;
}

/** A sentence in which names between backticks look like code, and the relay's own words are marked as English. */
export const Coded = ({ text, show = withNames }: CodedProps) => (
  <>
    {text.split(/\u2068([^\u2069]*)\u2069/).map((part, at) =>
      at % 2 === 0 ? (
        show(part)
      ) : (
        <span key={at} lang="en">
          {show(part)}
        </span>
      ),
    )}
  </>
);

/** With one backtick too many, they stay. */
function withNames(text: string) {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return text;
  return parts.map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));
}
