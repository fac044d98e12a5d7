/** At most four characters of a text for an error: enough to recognise it, too few to leak it. */
export function glimpseOf(text: string): string {
  const [...characters] = text.slice(0, 8);
  return characters.length > 4 ? `"${characters.slice(0, 4).join('')}…"` : `"${characters.join('')}"`;
}
