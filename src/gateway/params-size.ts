/**
 * Part of the 2 MB of a message's row: four texts of 65,536 characters in any language fit, and the attempts have space
 * as well.
 */
const MAX_PARAMS_BYTES = 800_000;

/** Why these parameters do not fit into a message's row; null: they do. */
export function whyTooLarge(params: Readonly<Record<string, string>>): string | null {
  const units = Object.values(params).reduce((sum, text) => sum + text.length, 0);
  // A UTF-16 unit has at most six bytes as JSON, so nearly no message has to be measured.
  if (6 * units <= MAX_PARAMS_BYTES / 2) return null;
  const bytes = new TextEncoder().encode(JSON.stringify(params)).byteLength;
  return bytes <= MAX_PARAMS_BYTES
    ? null
    : `has ${bytes} bytes as JSON with all its parameters; ${MAX_PARAMS_BYTES} is the limit`;
}
