import type { ComponentChildren } from 'preact';
import { relayText } from '../texts/relay-texts.ts';

type ElementProps = { readonly as?: 'p' | 'span'; readonly class?: string };

export const RelayText = ({ text, ...element }: ElementProps & { readonly text: string }) => (
  <Coded {...element} text={relayText(text)} />
);

interface CodedProps extends ElementProps {
  readonly text: string;
  readonly show?: (part: string) => ComponentChildren;
}

/** A sentence in which names between backticks look like code, and the relay's own words are marked as English. */
export function Coded({ as: Element, class: look, text, show = withNames }: CodedProps) {
  const parts = text.split(/\u2068([^\u2069]*)\u2069/).map((part, at) =>
    at % 2 === 0 ? (
      show(part)
    ) : (
      <span key={at} lang="en">
        {show(part)}
      </span>
    ),
  );
  return Element === undefined ? <>{parts}</> : <Element class={look}>{parts}</Element>;
}

/** With one backtick too many, they stay. */
function withNames(text: string) {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return text;
  return parts.map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));
}
