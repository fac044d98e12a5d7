import { said } from '../texts/said.ts';

/** A sentence of the relay in the reader's language. Names between backticks look like code; with one backtick too many, they stay. */
export function Said({ text }: { text: string }) {
  const parts = said(text).split('`');
  if (parts.length % 2 === 0) return <>{parts.join('`')}</>;
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>;
}
