import { readDialled } from '../../src/template/filters/dialled.ts';
import { readDocumentNumber } from '../../src/template/filters/document-number.ts';

export type Search =
  | { readonly is: 'nothing' }
  | { readonly is: 'event' | 'message'; readonly id: string }
  /** A number, in the gateway's digits. `isWhole` false: without its country code, so only the relay knows whose it is. */
  | { readonly is: 'phone'; readonly phone: string; readonly isWhole: boolean }
  /** A text of a payload. */
  | { readonly is: 'text'; readonly text: string }
  /** Fewer characters than the API searches for. */
  | { readonly is: 'short' };

/** The bounds of the digits in a number, with its country code or without. */
const [FEWEST_DIGITS, MOST_DIGITS] = [7, 15];

/** The fewest characters that payloads are searched for. */
const SHORTEST = 3;

export function readSearch(typed: string): Search {
  const text = typed.trim();
  if (text === '') return { is: 'nothing' };
  const id = text.toLowerCase();
  // An event that a replay of many made has a longer one.
  if (/^evt_[0-9a-z]{26,64}$/.test(id)) return { is: 'event', id };
  if (/^msg_[0-9a-z]{16}$/.test(id)) return { is: 'message', id };
  const dialled = readDialled(text);
  const digits = dialled.ok ? dialled.value.replace(/^(?:\+|00)/, '').length : 0;
  if (digits >= FEWEST_DIGITS && digits <= MOST_DIGITS) {
    const number = readDocumentNumber(text);
    return { is: 'phone', phone: number.ok ? number.value : text, isWhole: number.ok };
  }
  return text.length < SHORTEST ? { is: 'short' } : { is: 'text', text };
}
