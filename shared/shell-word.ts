/** A text as one word of a shell, which reads everything between single quotes literally, except such a quote. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
