/**
 * A part of the 2 MB of a message's row. Four texts of 65,536 characters in any language fit, and the attempts still
 * have space.
 */
const MAX_PARAMS_BYTES = 800_000;

/** The reason why these parameters do not fit into a message's row; null if they fit. */
export function whyTooLarge(params: Readonly<Record<string, string>>): string | null {
  const units = Object.values(params).reduce((sum, text) => sum + text.length, 0);
  // A UTF-16 unit takes at most six bytes as JSON, so few messages have to be measured.
  if (6 * units <= MAX_PARAMS_BYTES / 2) return null;
  const bytes = new TextEncoder().encode(JSON.stringify(params)).byteLength;
  return bytes <= MAX_PARAMS_BYTES
    ? null
    : `has ${bytes} bytes as JSON with all its parameters; ${MAX_PARAMS_BYTES} is the limit`;
}
