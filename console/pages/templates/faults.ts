import { firstGraphemes } from '../../../src/lib/text.ts';
import type { TemplateField } from './fields.ts';

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
  ...failures.flatMap((failure) => failureFault(fields, failure) ?? []),
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

function failureFault(
  fields: readonly TemplateField[],
  { parameter, code = 'template', reason }: DraftFindings['failures'][number],
): TemplateFault | null {
  const of = fields.filter(({ name }) => name === parameter);
  const [, line, rest = ''] = /: line (\d+), ([\s\S]*)$/.exec(reason) ?? [];
  if (line !== undefined) {
    const [quoted = ''] = /^\{([{%])[\s\S]*?[%}]\}/.exec(rest) ?? [];
    for (const { path, text } of of) {
      const from = quoted === '' ? -1 : text.indexOf(quoted, lineStart(text, Number(line)));
      if (from >= 0)
        return {
          ...WHOLE,
          field: path,
          from,
          to: from + quoted.length,
          code,
          message: rest.slice(quoted.length).replace(/^: /, ''),
        };
    }
  }
  const [first] = of;
  if (first === undefined) return null;
  // The whole text is quoted in it, and stands just beside it.
  const why = reason.slice(reason.lastIndexOf('): ') + 1).replace(/^: /, '');
  return { ...WHOLE, field: first.path, code, message: why };
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
