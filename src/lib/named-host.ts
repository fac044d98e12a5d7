/** A scheme and a whole host before any part that a template fills in. */
const NAMED = /^\s*https?:\/\/[^\s/?#\\{}]+(?=[/?#]|\s*$)/i;

/** True if a URL's template contains its whole host: `https://shop.example/{{ payload.id }}`. */
export const namesItsHost = (template: string): boolean => NAMED.test(template);
