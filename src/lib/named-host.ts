/** A scheme, a host and what ends it, before anything that a template would put in. */
const NAMED = /^\s*https?:\/\/[^\s/?#\\{}]+(?=[/?#]|\s*$)/i;

/** Whether a URL's template has its whole host written out: `https://shop.example/{{ payload.id }}`. */
export const namesItsHost = (template: string): boolean => NAMED.test(template);
