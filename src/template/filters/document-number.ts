import { err, ok, type Result } from '../../lib/result.ts';
import { glimpseOf } from '../../lib/glimpse.ts';
import { readDialled } from './dialled.ts';

/** The gateway's format: digits that start with the country code (E.164: 15 at most). */
const GATEWAY_DIGITS = /^[1-9][0-9]{6,14}$/;

/** Written between the country code and the rest: the zero is dialled inside of the country only. */
const TRUNK_ZERO = /\(0\)/;

/**
 * A number in a document or a field, as the gateway wants it. It is written as people do (`+49 151 12345678`, `0049…`,
 * `4915112345678`) with its country code, since a document is in no country. It needs no numbering plans, so a list of
 * ten thousand costs little: that a number can be dialled is checked when a set is published (`number-doubts.ts`).
 */
export function readDocumentNumber(written: string): Result<string, string> {
  if (GATEWAY_DIGITS.test(written)) return ok(written);
  const dialled = readDialled(written.replace(TRUNK_ZERO, ''));
  if (!dialled.ok) return dialled;
  const digits = dialled.value.replace(/^(?:\+|00)/, '');
  if (GATEWAY_DIGITS.test(digits)) return ok(digits);
  const why = digits.startsWith('0')
    ? 'has no country code: begin with it, such as +49 151 12345678'
    : `is too ${digits.length < 7 ? 'short' : 'long'} for a phone number with its country code`;
  return err(`${glimpseOf(dialled.value)} ${why}`);
}
