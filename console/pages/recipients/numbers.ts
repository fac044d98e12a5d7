/** The typed lines of a list of numbers, with the gateway's digits of those that are numbers. */
export interface TypedNumbers {
  readonly numbers: readonly string[];
  /** Lines that are no number in the international form, as they were typed. */
  readonly wrong: readonly string[];
}

/** E.164: at most 15 digits; the shortest numbers in use have 7 with their country code. */
const DIGITS = /^[1-9]\d{6,14}$/;

/** Reads one number a line, written as people do: `+49 151 12345678`, `0049…`. */
export function readNumbers(text: string): TypedNumbers {
  const lines = text.split('\n').map((line) => line.trim());
  const read = lines
    .filter((line) => line !== '')
    .map((line) => ({ line, digits: line.replaceAll(/[\s()./-]/g, '').replace(/^(\+|00)/, '') }));
  return {
    numbers: [...new Set(read.filter(({ digits }) => DIGITS.test(digits)).map(({ digits }) => digits))],
    wrong: read.filter(({ digits }) => !DIGITS.test(digits)).map(({ line }) => line),
  };
}
