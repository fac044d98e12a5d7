import { memoized } from '../../lib/cache.ts';
import { compileText, type CompiledText } from '../../template/text.ts';
import type { Source } from './config.ts';

/** Cached by the Liquid text. There are only as many as providers with such a line. */
const compiled = memoized((line): CompiledText | null => {
  const text = compileText(line);
  return text.ok ? text.value : null;
});

/** The line by which lists show events of a source: its own, or its provider's. */
export const subjectOf = ({ subject, provider }: Pick<Source, 'subject' | 'provider'>): CompiledText | null =>
  subject ?? (provider.subject === undefined ? null : compiled(provider.subject));
