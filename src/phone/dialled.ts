import { err, ok, type Result } from '../lib/result.ts';
import { excerptOf } from '../lib/text.ts';
import { gatewayDigits, withAsciiDigits } from '../lib/numbers.ts';

/** The longest text that is read as a number: 15 digits (E.164) with much punctuation. */
export const MAX_LENGTH = 60;
/** ASCII as Japanese and Chinese keyboards write it: each is so far from its usual form. */
const [FULL_WIDTH, DISTANCE] = [/[\uff01-\uff5e]/g, 0xfee0];
/** Marks of direction and width, which a number contains if it was copied from a contact. */
const INVISIBLE = /\p{Cf}/gu;
/** Written between the country code and the rest: the zero is dialled only inside the country. */
export const TRUNK_ZERO = /\(0\)/;
const EXTENSION = /\d\s*(?:[;,#x]|ext)/i;

/** Returns the digits as they would be dialled, with a leading `+` if there was one. */
export function readDialled(raw: unknown): Result<string, string> {
  if (typeof raw === 'number')
    return Number.isSafeInteger(raw) && raw > 0 ? ok(String(raw)) : err('is not an exact whole number');
  if (raw === undefined || raw === null || raw === '') return err('the phone number is empty');
  if (typeof raw !== 'string') return err('a phone number is a text or a number, not a list or an object');
  const text = withAsciiDigits(raw.slice(0, MAX_LENGTH + 1))
    .replace(INVISIBLE, '')
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - DISTANCE))
    .trim();
  const number = text.replace(/^(?:tel|whatsapp):\s*/i, '').replace(/^\(\s*\+/, '+(');
  const refusal = refuse(number);
  return refusal === undefined ? ok(number.replace(/[^+\d]/g, '')) : err(`${excerptOf(number)} ${refusal}`);
}

/** What follows `+` or `00`, the start of a number with its country code; null without either. */
export const internationalDigits = (dialled: string): string | null =>
  /^(?:\+|00)(.*)/.exec(dialled)?.[1] ?? null;

/** Returns why a text is not one plain number; undefined if it is. */
function refuse(number: string): string | undefined {
  if (!/\d/.test(number)) return number === '' ? 'is empty' : 'has no digits';
  if (EXTENSION.test(number))
    return 'has an extension, or is several numbers: write one, without an extension';
  if (number.length > MAX_LENGTH) return 'is too long for a phone number';
  if (!/^\+?[\d\t\p{Zs}().\-\u2010-\u2015\u2212\u30fc/]+$/u.test(number))
    return 'has letters or symbols in it that no phone number has';
  return severalNumbers(number) ? 'seems to be several numbers: one is needed' : undefined;
}

/**
 * True if the text has several numbers. A slash separates area code and number (`030/1234567`), but also numbers (`030
 * 1234567 / 030 7654321`) and alternative last digits (`030 1234567/68`). Only the first is one number,
 * also with another slash behind the country code (`+43/664/1234567`).
 */
function severalNumbers(number: string): boolean {
  const national = number.replace(/^(?:\+|00)\d{1,3}\s*\//, '');
  const [area = '', ...rest] = national.split('/').map((part) => part.replace(/\D/g, ''));
  if (rest.length === 0) return false;
  return rest.length > 1 || area.length > 8 || (rest[0] ?? '').length < 3;
}

/**
 * With its country code, in any form (`+49 151 12345678`, `0049…`, `4915112345678`). Needs no numbering plans, so a
 * list of ten thousand costs little: publishing checks that its numbers can be dialled (`compile.ts`).
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
