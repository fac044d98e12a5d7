import { isMessageKind, LIST_LENGTH, listIn, type Parameter, paramsOf } from '../../../src/gateway/kinds.ts';
import type { Written } from '../../api/types.ts';
import { isObject } from '../../../src/lib/json.ts';
import { firstGraphemes } from '../../../src/lib/text.ts';

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
  if (at !== undefined) return { ...document, [name]: texts(document[name]).with(Number(at), text) };
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

/** Something wrong in a field, or perhaps not meant, with its place in the text (UTF-16 units); empty: it is the whole. */
export interface TemplateFault {
  readonly field: string | null;
  readonly from: number;
  readonly to: number;
  readonly isError: boolean;
  readonly code?: string | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly message: string;
}

type Words = Pick<TemplateFault, 'code' | 'params' | 'message'>;

/** The API's findings about a draft: refusals by path; failures and warnings of rendering by parameter. */
interface DraftFindings {
  readonly errors: readonly (Words & { readonly path: string })[];
  readonly failures: readonly {
    readonly parameter: string;
    readonly code?: string;
    readonly reason: string;
  }[];
  readonly warnings: readonly (Words & { readonly parameter?: string | undefined })[];
}

const PLACE = /^(?:line (\d+), )?column (\d+): ([\s\S]*)$/;

/** All findings, each at its place. `prefix`: the path of the text, before those of its fields. */
export const faultsOf = (
  { errors, failures, warnings }: DraftFindings,
  fields: readonly TemplateField[],
  prefix: string,
): readonly TemplateFault[] => [
  ...errors.map((error) => errorFault(fields, prefix, error)),
  ...failures.flatMap((failure) => failureFaults(fields, failure)),
  ...warnings.flatMap((warning) => warningFaults(fields, warning)),
];

const WHOLE = { field: null, from: 0, to: 0, isError: true } as const;

function errorFault(
  fields: readonly TemplateField[],
  prefix: string,
  { path, code, params, message }: DraftFindings['errors'][number],
): TemplateFault {
  const field = fields.find((one) => prefix + one.path === path);
  if (field === undefined) return { ...WHOLE, code: 'template', message: `${path}: ${message}` };
  const [, line, column, what] = PLACE.exec(message) ?? [];
  if (column === undefined) return { ...WHOLE, field: field.path, code, params, message };
  const start = lineStart(field.text, Number(line ?? 1));
  const [written = ''] = field.text.slice(start).split('\n', 1);
  const from = start + firstGraphemes(written, Number(column) - 1).length;
  return { field: field.path, ...wordAt(field.text, from), isError: true, code, message: what ?? message };
}

function failureFaults(
  fields: readonly TemplateField[],
  { parameter, code = 'template', reason }: DraftFindings['failures'][number],
): readonly TemplateFault[] {
  const of = fields.filter(({ name }) => name === parameter);
  const [, line = '', rest = ''] = /: line (\d+), ([\s\S]*)$/.exec(reason) ?? [];
  const [quoted = ''] = /^\{([{%])[\s\S]*?[%}]\}/.exec(rest) ?? [];
  for (const { path, text } of quoted === '' ? [] : of) {
    const from = text.indexOf(quoted, lineStart(text, Number(line)));
    const message = rest.slice(quoted.length).replace(/^: /, '');
    if (from >= 0) return [{ ...WHOLE, field: path, from, to: from + quoted.length, code, message }];
  }
  // The whole text is quoted in it, and stands just beside it.
  const message = reason.slice(reason.lastIndexOf('): ') + 1).replace(/^: /, '');
  return of.slice(0, 1).map(({ path }) => ({ ...WHOLE, field: path, code, message }));
}

/** A warning of a variable is shown wherever the variable is. */
function warningFaults(
  fields: readonly TemplateField[],
  { parameter = '', code, params, message }: DraftFindings['warnings'][number],
): readonly TemplateFault[] {
  const of = fields.filter(({ name }) => name === parameter);
  const [, variable] = /^`([^`]+)` is not there/.exec(message) ?? [];
  const doubt = { ...WHOLE, isError: false, code, params, message };
  if (variable === undefined) return of.slice(0, 1).map(({ path }) => ({ ...doubt, field: path }));
  return of.flatMap(({ path, text }) =>
    placesOf(text, variable).map((from) => ({ ...doubt, field: path, from, to: from + variable.length })),
  );
}

/** The places where a text reads a variable, and not a longer one that begins with it. */
function placesOf(text: string, variable: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(variable); at >= 0; at = text.indexOf(variable, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + variable.length] ?? ' ';
    if (!/[\w.-]/.test(before) && !/[\w-]/.test(after)) places.push(at);
  }
  return places;
}

const lineStart = (text: string, line: number): number =>
  Math.min(text.length, text.split('\n', line - 1).join('\n').length + (line > 1 ? 1 : 0));

/** At least one character, so that there is something to see. */
function wordAt(text: string, from: number): { readonly from: number; readonly to: number } {
  const word = /^[\w.-]+/.exec(text.slice(from))?.[0] ?? '';
  if (word !== '') return { from, to: from + word.length };
  return from < text.length ? { from, to: from + 1 } : { from: Math.max(0, from - 1), to: from };
}
