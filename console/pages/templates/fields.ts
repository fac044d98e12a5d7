import { isMessageKind, LIST_LENGTH, listIn, type Parameter, paramsOf } from '../../../src/gateway/kinds.ts';
import type { Written } from '../../api/types.ts';
import { isObject } from '../../../src/lib/json.ts';

/** The parameters of a kind; none of one that this console does not know. */
const known = (kind: string): ReturnType<typeof paramsOf> => (isMessageKind(kind) ? paramsOf(kind) : []);

const listOf = (kind: string): string | undefined => (isMessageKind(kind) ? listIn(kind) : undefined);

export interface TemplateField {
  /** As the API names it: `message`, `options[1]`, `fallback[0].message`. */
  readonly path: string;
  readonly name: string;
  /** Its place in a list, from 0; null: it is not of a list. */
  readonly at: number | null;
  readonly text: string;
  readonly isOptional: boolean;
  readonly holds: Parameter['holds'];
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) : [];

/** A message of a text. `prefix`: before the names of its fields; empty, or `fallback[0].`, which is sent instead. */
function partOf(document: Written, prefix: string) {
  const kind = String(document['kind']);
  const fields = known(kind).flatMap(([name, { holds, isOptional }]): TemplateField[] => {
    const shared = { name, holds, isOptional: isOptional === true };
    const value = document[name];
    if (holds === 'list')
      return texts(value).map((text, at) => ({ ...shared, path: `${prefix}${name}[${at}]`, at, text }));
    return [{ ...shared, path: prefix + name, at: null, text: typeof value === 'string' ? value : '' }];
  });
  return { kind, prefix, fields, list: listOf(kind) };
}

const fallbackOf = (document: Written): readonly Written[] =>
  Array.isArray(document['fallback']) ? document['fallback'].filter(isObject) : [];

/** What is sent first, and what is sent instead. */
export const partsOf = (document: Written) => [
  partOf(document, ''),
  ...fallbackOf(document).map((one, at) => partOf(one, `fallback[${at}].`)),
];

const PATH = /^(?:fallback\[(\d+)\]\.)?(\w+)(?:\[(\d+)\])?$/;

/** The text with one field changed. An optional one that is empty is left out. */
export function withField(document: Written, path: string, text: string): Written {
  const [, fallback, name = '', at] = PATH.exec(path) ?? [];
  if (fallback !== undefined) {
    const changed = (one: Written, index: number): Written =>
      index === Number(fallback) ? withField(one, path.slice(path.indexOf('.') + 1), text) : one;
    return { ...document, fallback: fallbackOf(document).map(changed) };
  }
  if (at !== undefined)
    return {
      ...document,
      [name]: texts(document[name]).map((old, index) => (index === Number(at) ? text : old)),
    };
  const isOptional = known(String(document['kind'])).some(([one, spec]) => one === name && spec.isOptional);
  if (text === '' && isOptional) {
    const { [name]: _, ...rest } = document;
    return rest;
  }
  return { ...document, [name]: text };
}

export function withOptions(document: Written, change: (options: readonly string[]) => readonly string[]) {
  const list = listOf(String(document['kind']));
  return list === undefined ? document : { ...document, [list]: change(texts(document[list])) };
}

const hasWords = ({ holds }: Pick<Parameter, 'holds'>): boolean => holds === 'text' || holds === 'line';

const wordsIn = (fields: readonly TemplateField[]): string | undefined =>
  fields.find((one) => hasWords(one) && one.text !== '')?.text;

/** The same words as another kind, as far as it has a place for them. */
export function withKind(document: Written, kind: string): Written {
  const words = wordsIn(partOf(document, '').fields) ?? '';
  const main = known(kind).find(([, spec]) => hasWords(spec));
  const fields = known(kind).flatMap(([name, { holds, isOptional }]): (readonly [string, unknown])[] => {
    if (holds === 'list') return [[name, Array.from({ length: LIST_LENGTH.min }, () => '')]];
    const text = name === main?.[0] ? words : '';
    return text === '' && isOptional === true ? [] : [[name, text]];
  });
  const { fallback } = document;
  return { kind, ...Object.fromEntries(fields), ...(fallback !== undefined && { fallback }) };
}

export function wordsOf(document: Written): string {
  const { fields } = partOf(document, '');
  return wordsIn(fields) ?? fields[0]?.text ?? '';
}
