/** Characters of a text and elements of a list that are kept, one try after the other. */
const LENGTHS = [4_096, 256, 16];

/** JSON of at most `max` characters: long texts and lists are cut; if that is not enough, it is one text: its beginning. */
export function shortened(value: unknown, max: number): string {
  for (const length of LENGTHS) {
    const text = JSON.stringify(value, (_, one: unknown) => {
      if (Array.isArray(one)) return one.slice(0, length) as unknown;
      return typeof one === 'string' && one.length > length ? `${one.slice(0, length).toWellFormed()}…` : one;
    });
    if (text.length <= max) return text;
  }
  return JSON.stringify(JSON.stringify(value).slice(0, max / 8));
}
