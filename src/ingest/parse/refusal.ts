/**
 * The reason why a body was not understood: it is malformed (400) or of a type that is not accepted (415). `detail`
 * says what is wrong, where, and how to fix it; it shows at most one character of the body.
 */
export interface ParseRefusal {
  readonly status: 400 | 415;
  readonly detail: string;
}

/** A 400. */
export const malformed = (detail: string): ParseRefusal => ({ status: 400, detail });

/** A 415. */
export const unsupported = (detail: string): ParseRefusal => ({ status: 415, detail });

/**
 * The maximum nesting of JSON and XML. Code that walks a payload later (templates, JSON.stringify, structured clone)
 * recurses, and a body of a megabyte could otherwise be half a million levels deep.
 */
export const MAX_DEPTH = 100;

/** The refusal of a body that is nested deeper than {@link MAX_DEPTH}. */
export const tooDeep = (what: string, place: string): ParseRefusal =>
  malformed(
    `${what} is nested too deeply: ${place} is more than ${MAX_DEPTH} levels deep. Send flatter data.`,
  );

/** The place of an offset (UTF-16 units) in a text, for a person: `line 3, column 7`. */
export function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  return `line ${line}, column ${offset - lineStart + 1}`;
}
