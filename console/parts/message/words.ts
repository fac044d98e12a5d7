import { isMessageKind } from '../../../src/gateway/kinds.ts';
import { t } from '../../texts/texts.ts';

/** The name of a kind of message; a kind that this console does not know is shown as it is. */
export const kindName = (kind: string): string => (isMessageKind(kind) ? t.kinds[kind] : kind);

const NAMES: Readonly<Record<string, string>> = t.params;

export const paramName = (name: string): string => NAMES[name] ?? name;

/** The path of a text in a template: `message`, `options[1]`, `fallback[0].message`. */
const PATH = /^(?:fallback\[(\d+)\]\.)?(\w+)(?:\[(\d+)\])?$/;

/** The name of a text in a template, by its path. */
export function fieldName(path: string): string {
  const [, fallback, name = path, at] = PATH.exec(path) ?? [];
  const field = paramName(name) + (at === undefined ? '' : ` ${Number(at) + 1}`);
  return fallback === undefined ? field : t.templates.ofFallback(field, Number(fallback) + 1);
}
