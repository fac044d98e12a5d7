import { withoutCommand } from '../../../shared/doctor/remedy.ts';
import type { RejectionAnswer } from '../../api/types.ts';
import { t } from '../../texts/texts.ts';
import { fixHere } from '../sources/place.ts';

const REASONS: Readonly<Record<string, string>> = t.rejections.reasons;

/** A reason in words. One that a newer relay has is shown as it is. */
export const reasonText = (reason: string): string =>
  (Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined) ?? reason.replaceAll('_', ' ');

/** The fix, in the language of the person if it has been translated; undefined: none is known. */
export function remedyOf({ reason, remedy }: Pick<RejectionAnswer, 'reason' | 'remedy'>): string | undefined {
  const { remedies } = t.rejections;
  const translated = Object.hasOwn(remedies, reason) ? remedies[reason] : undefined;
  return (
    translated ?? (remedy === undefined ? undefined : fixHere(withoutCommand(remedy), location.hostname))
  );
}
