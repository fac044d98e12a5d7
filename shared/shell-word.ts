/** Quotes a text as one word of a shell. Between single quotes, a shell reads everything literally except a single quote. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
