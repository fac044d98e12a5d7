import type { RouteWords } from '../../api/catalog.ts';

/** The ends of a route's name that are about its receiver or its place among others, and not about what happened. */
const ABOUT_OTHERS = /-(?:to-(?:the-)?(?:customer|guest|visitor)|owners|generic)$/;

/** `is paid` needs no noun: `When paid`, `Wenn bezahlt wird`. */
const PASSIVE = /^is | wird$/;

/** Returns the sentence of a route’s name: `order-paid` gives “When an order is paid”. Null: no words are known for it. */
export function whenOf(
  name: string,
  provider: string,
  { when, it, nouns, verbs, routes, providers }: RouteWords,
): string | null {
  const about = name.toLowerCase().replaceAll('_', '-').replace(ABOUT_OTHERS, '');
  const own = at(providers, provider) ?? {};
  const whole = at(own, name) ?? at(own, about) ?? at(routes, name) ?? at(routes, about);
  if (whole !== null) return whole;
  const alone = at(verbs, about);
  if (alone !== null)
    return PASSIVE.test(alone) ? `${when} ${alone.replace(/^is /, '')}` : `${when} ${it} ${alone}`;
  // The longest verb: `payment-not-paid` is not about something that is paid.
  for (let end = about.indexOf('-'); end > 0; end = about.indexOf('-', end + 1)) {
    const noun = at(nouns, about.slice(0, end));
    const verb = at(verbs, about.slice(end + 1));
    if (noun !== null && verb !== null) return `${when} ${noun} ${verb}`;
  }
  return null;
}

const at = <Value>(words: Readonly<Record<string, Value>>, name: string): Value | null =>
  Object.hasOwn(words, name) ? (words[name] ?? null) : null;

/** Liquid of a number that belongs to somebody who buys, books or writes. */
const CUSTOMER = /customer|buyer|guest|client|billing|shipping|recipient|attendee|invitee|visitor/i;

/** True if a receiver in Liquid is the customer: by its own words, or by the provider's, which names such routes. */
export const isCustomer = (liquid: string, isOfCustomers: boolean): boolean =>
  isOfCustomers || CUSTOMER.test(liquid);
