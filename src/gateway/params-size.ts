/** Of the 2 MB of a message's row: four texts of 65,536 characters in any language fit, and its attempts beside them. */
const MAX_PARAMS_BYTES = 800_000;

/** Why the row of a message does not hold these parameters; null: it does. */
export function whyTooLarge(params: Readonly<Record<string, string>>): string | null {
  const units = Object.values(params).reduce((sum, text) => sum + text.length, 0);
  // A UTF-16 unit has six bytes at most as JSON, so nearly no message is measured.
  if (6 * units <= MAX_PARAMS_BYTES / 2) return null;
  const bytes = new TextEncoder().encode(JSON.stringify(params)).byteLength;
  return bytes <= MAX_PARAMS_BYTES
    ? null
    : `has ${bytes} bytes as JSON with all its parameters, and ${MAX_PARAMS_BYTES} is the most`;
}
