/** A text in Liquid, which knows no escapes; null: it has both kinds of quotes. */
export function quoted(text: string): string | null {
  if (!text.includes('"')) return `"${text}"`;
  return text.includes("'") ? null : `'${text}'`;
}

/** All that a source sends; null: no condition can name it. */
export function ofSource(source: string): string | null {
  const name = quoted(source);
  return name === null ? null : `event.source == ${name}`;
}

/** A source's events of one type; null: it has none, or no condition can name it. */
export function ofType(source: string, type: string | null): string | null {
  const all = ofSource(source);
  const name = type === null ? null : quoted(type);
  return all === null || name === null ? null : `${all} and event.type == ${name}`;
}
