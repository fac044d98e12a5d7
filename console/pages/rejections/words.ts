import { withoutCommand } from '../../../shared/doctor/remedy.ts';
import { own, relayText } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';

/** A reason in words. One that a newer relay has is shown as it is. */
export const reasonText = (code: string): string =>
  own<string>(t.rejections.reasons, code) ?? code.replaceAll('_', ' ');

interface Remedied {
  readonly code: string;
  readonly remedy?: string | undefined;
}

/** The fix, in the language of the person if it has been translated; undefined: none is known. */
export const remedyOf = ({ code, remedy }: Remedied): string | undefined =>
  own(t.rejections.remedies, code) ?? (remedy === undefined ? undefined : relayText(withoutCommand(remedy)));
