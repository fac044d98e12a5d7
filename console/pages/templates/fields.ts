import { isDoc, type Doc } from './texts-of-set.ts';

/** The kinds of message, with the parameters that the gateway has for each. */
const KINDS: Readonly<Record<string, readonly FieldSpec[]>> = {
  text: [{ name: 'message' }],
  image: [
    { name: 'image_url', isUrl: true },
    { name: 'caption', isOptional: true },
  ],
  voice: [{ name: 'audio_url', isUrl: true }],
  'link-preview': [
    { name: 'url', isUrl: true },
    { name: 'text', isOptional: true },
    { name: 'title', isOptional: true },
    { name: 'description', isOptional: true },
  ],
  poll: [{ name: 'question' }, { name: 'options', isList: true }],
  status: [{ name: 'text' }],
};

export const KIND_NAMES = Object.keys(KINDS);

interface FieldSpec {
  readonly name: string;
  readonly isUrl?: true;
  readonly isOptional?: true;
  /** Several texts. */
  readonly isList?: true;
}

/** One text to edit. */
export interface Field {
  /** As the API names it: `message`, `options[1]`, `fallback[0].message`. */
  readonly path: string;
  readonly name: string;
  /** Its place in a list, from 0; null: it is not of a list. */
  readonly at: number | null;
  readonly text: string;
  readonly isOptional: boolean;
  readonly isShort: boolean;
}

/** A message of a text: what is sent first, and what is sent instead. */
export interface Part {
  readonly kind: string;
  /** Before the names of its fields: empty, or `fallback[0].`. */
  readonly prefix: string;
  readonly fields: readonly Field[];
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) : [];

function partOf(document: Doc, prefix: string): Part {
  const kind = String(document['kind']);
  const fields = (KINDS[kind] ?? []).flatMap(({ name, isUrl, isOptional, isList }): Field[] => {
    const shared = { name, isOptional: isOptional === true, isShort: isUrl === true || isList === true };
    const value = document[name];
    if (isList === true)
      return texts(value).map((text, at) => ({ ...shared, path: `${prefix}${name}[${at}]`, at, text }));
    return [{ ...shared, path: prefix + name, at: null, text: typeof value === 'string' ? value : '' }];
  });
  return { kind, prefix, fields };
}

const fallbackOf = (document: Doc): readonly Doc[] =>
  Array.isArray(document['fallback']) ? document['fallback'].filter(isDoc) : [];

/** All that is to be edited of a text. */
export const partsOf = (document: Doc): readonly Part[] => [
  partOf(document, ''),
  ...fallbackOf(document).map((one, at) => partOf(one, `fallback[${at}].`)),
];

const PATH = /^(?:fallback\[(\d+)\]\.)?(\w+)(?:\[(\d+)\])?$/;

/** The text with one field changed. An optional one that is empty is left out. */
export function withField(document: Doc, path: string, text: string): Doc {
  const [, fallback, name = '', at] = PATH.exec(path) ?? [];
  if (fallback !== undefined) {
    const changed = (one: Doc, index: number): Doc =>
      index === Number(fallback) ? withField(one, path.slice(path.indexOf('.') + 1), text) : one;
    return { ...document, fallback: fallbackOf(document).map(changed) };
  }
  if (at !== undefined)
    return {
      ...document,
      [name]: texts(document[name]).map((old, index) => (index === Number(at) ? text : old)),
    };
  const spec = KINDS[String(document['kind'])]?.find((one) => one.name === name);
  if (text === '' && spec?.isOptional === true) {
    const { [name]: _, ...rest } = document;
    return rest;
  }
  return { ...document, [name]: text };
}

/** The poll with one option more, or without one. */
export const withOptions = (
  document: Doc,
  change: (options: readonly string[]) => readonly string[],
): Doc => ({
  ...document,
  options: change(texts(document['options'])),
});

/** The same words as another kind, as far as it has a place for them. */
export function withKind(document: Doc, kind: string): Doc {
  const words = partOf(document, '').fields.find(({ isShort, text }) => !isShort && text !== '')?.text ?? '';
  const main = (KINDS[kind] ?? []).find(({ isUrl, isList }) => isUrl !== true && isList !== true);
  const fields = (KINDS[kind] ?? []).flatMap((spec): (readonly [string, unknown])[] => {
    const { name, isOptional, isList } = spec;
    if (isList === true) return [[name, ['', '']]];
    const text = spec === main ? words : '';
    return text === '' && isOptional === true ? [] : [[name, text]];
  });
  const { fallback } = document;
  return { kind, ...Object.fromEntries(fields), ...(fallback !== undefined && { fallback }) };
}

/** The words that a list shows of a text. */
export function wordsOf(document: Doc): string {
  const [first] = partsOf(document);
  const { fields = [] } = first ?? {};
  return (fields.find(({ isShort, text }) => !isShort && text !== '') ?? fields[0])?.text ?? '';
}
