import { withoutCommand } from '../../../shared/doctor/remedy.ts';
import { relayText } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';

const REASONS: Readonly<Record<string, string>> = t.rejections.reasons;

/** A reason in words. One that a newer relay has is shown as it is. */
export const reasonText = (code: string): string =>
  (Object.hasOwn(REASONS, code) ? REASONS[code] : undefined) ?? code.replaceAll('_', ' ');

interface Remedied {
  readonly code: string;
  readonly remedy?: string | undefined;
}

/** The fix, in the language of the person if it has been translated; undefined: none is known. */
export function remedyOf({ code, remedy }: Remedied): string | undefined {
  const { remedies } = t.rejections;
  const translated = Object.hasOwn(remedies, code) ? remedies[code] : undefined;
  return translated ?? (remedy === undefined ? undefined : relayText(withoutCommand(remedy)));
}
