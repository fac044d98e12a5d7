import { t } from '../../texts/texts.ts';

interface ReasonWords {
  readonly reason: string;
  /** The fix; null: this reason is unknown here. */
  readonly remedy: string | null;
}

/** The reason, and the remedy. */
const REASONS: Readonly<Record<string, readonly string[]>> = t.rejections.reasons;

/** A reason in words, and what to do about it. One that a newer relay has is shown as it is. */
export function reasonWords(word: string): ReasonWords {
  const [reason = word.replaceAll('_', ' '), remedy = null] = Object.hasOwn(REASONS, word)
    ? (REASONS[word] ?? [])
    : [];
  return { reason, remedy };
}
