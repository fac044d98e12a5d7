import { said } from '../texts/said.ts';

/** A sentence of the relay in the reader's language. */
export const Said = ({ text }: { text: string }) => <Coded text={said(text)} />;

/** A sentence in which names between backticks look like code; with one backtick too many, they stay. */
export function Coded({ text }: { text: string }) {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>;
}
