/** The meaning of a search in a list. */
export type Search =
  | { readonly is: 'nothing' }
  | { readonly is: 'event' | 'message'; readonly id: string }
  /** A number, in the gateway's digits. */
  | { readonly is: 'phone'; readonly phone: string }
  /** A text of a payload. */
  | { readonly is: 'text'; readonly text: string }
  /** Fewer characters than the API searches for. */
  | { readonly is: 'short' };

/** The fewest characters that payloads are searched for. */
const SHORTEST = 3;

export function readSearch(typed: string): Search {
  const text = typed.trim();
  if (text === '') return { is: 'nothing' };
  const id = text.toLowerCase();
  // An event that a replay of many made has a longer one.
  if (/^evt_[0-9a-z]{26,64}$/.test(id)) return { is: 'event', id };
  if (/^msg_[0-9a-z]{16}$/.test(id)) return { is: 'message', id };
  if (/^\+?\d[\d\s()/.-]*$/.test(text)) {
    const phone = text.replaceAll(/\D/g, '').replace(/^00/, '');
    if (phone.length >= 7 && phone.length <= 15) return { is: 'phone', phone };
  }
  return text.length < SHORTEST ? { is: 'short' } : { is: 'text', text };
}
