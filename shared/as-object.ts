/** A part of a document, which nothing has checked: what is no object has no fields. */
export const asObject = (part: unknown): Readonly<Record<string, unknown>> =>
  typeof part === 'object' && part !== null ? { ...part } : {};
