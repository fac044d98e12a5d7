/** The words that names of routes are made of, in a language. */
export interface RouteNameWords {
  /** `order`: `an order`. */
  readonly nouns: Readonly<Record<string, string>>;
  /** `shipped`: `is shipped`. */
  readonly verbs: Readonly<Record<string, string>>;
  readonly clause: (noun: string, verb: string) => string;
  /** Without a noun: `when paid`. */
  readonly alone: (verb: string) => string;
  /** Any other name. */
  readonly named: (name: string) => string;
}

/** The ends of a route's name that are about its receiver or its place among others, and not about what happened. */
const ABOUT_OTHERS = /-(?:to-(?:the-)?(?:customer|guest|visitor)|owners|generic)$/;

/** Returns the sentence of a route’s name: `order-paid` gives “When an order is paid”. */
export function whenOf(name: string, { nouns, verbs, clause, alone, named }: RouteNameWords): string {
  const about = name.toLowerCase().replaceAll('_', '-').replace(ABOUT_OTHERS, '');
  const own = verbAt(verbs, about);
  if (own !== null) return alone(own);
  // The longest verb: `payment-not-paid` is not about something that is paid.
  for (let at = about.indexOf('-'); at > 0; at = about.indexOf('-', at + 1)) {
    const noun = verbAt(nouns, about.slice(0, at));
    const verb = verbAt(verbs, about.slice(at + 1));
    if (noun !== null && verb !== null) return clause(noun, verb);
  }
  return named(about.replaceAll('-', ' '));
}

const verbAt = (words: Readonly<Record<string, string>>, name: string): string | null =>
  Object.hasOwn(words, name) ? (words[name] ?? null) : null;

/** Liquid of a number that belongs to somebody who buys, books or writes. */
const CUSTOMER = /customer|buyer|guest|client|billing|shipping|recipient|attendee|invitee|visitor/i;

/** True if a receiver in Liquid is the customer: by its own words, or by the provider's, which names such routes. */
export const isCustomer = (liquid: string, isOfCustomers: boolean): boolean =>
  isOfCustomers || CUSTOMER.test(liquid);
