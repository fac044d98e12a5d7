import { err, ok, type Result } from '../../lib/result.ts';
import { excerptOf } from '../../lib/text.ts';
import { gatewayDigits } from '../../lib/numbers.ts';
import { internationalDigits, readDialled, TRUNK_ZERO } from './dialled.ts';

/**
 * Returns a number in a document or a field as the gateway expects it. People write it in various ways (`+49 151
 * 12345678`, `0049…`, `4915112345678`), with its country code, since a document belongs to no country. This needs no
 * numbering plans, so a list of ten thousand costs little: publishing a set checks that its numbers can be dialled
 * (`number-doubts.ts`).
 */
export function readDocumentNumber(written: string): Result<string, string> {
  if (gatewayDigits.test(written)) return ok(written);
  const dialled = readDialled(written.replace(TRUNK_ZERO, ''));
  if (!dialled.ok) return dialled;
  const digits = internationalDigits(dialled.value) ?? dialled.value;
  if (gatewayDigits.test(digits)) return ok(digits);
  const why = digits.startsWith('0')
    ? 'has no country code: begin with it, such as +49 151 12345678'
    : `is too ${digits.length < 7 ? 'short' : 'long'} for a phone number with its country code`;
  return err(`${excerptOf(dialled.value)} ${why}`);
}
