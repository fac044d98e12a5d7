/** Matches a scheme and a whole host before the first part that a template fills in. */
const NAMED = /^\s*https?:\/\/[^\s/?#\\{}]+(?=[/?#]|\s*$)/i;

/** True if the template of a URL contains the whole host: `https://shop.example/{{ payload.id }}`. */
export const namesItsHost = (template: string): boolean => NAMED.test(template);
