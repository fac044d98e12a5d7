import { parseDocument } from 'yaml';

/** A text of one line as YAML with quotes: single ones where they do, since nothing in them has a meaning of its own. */
export function inQuotes(text: string): string {
  const forms = text.includes("'") ? [`"${text}"`, `'${text.replaceAll("'", "''")}'`] : [`'${text}'`];
  return forms.find((form) => readsAs(form, text)) ?? JSON.stringify(text);
}

/** Whether a value of one line is read as a text. */
export function readsAs(value: string, text: string): boolean {
  const { errors, contents } = parseDocument(`k: ${value}`, { prettyErrors: false });
  return errors.length === 0 && Reflect.get(Object(contents?.toJSON()), 'k') === text;
}
