import type { Locale } from '../../src/template/basics/locale.ts';
import type { Scope } from '../../src/template/basics/scope.ts';

/** The settings that the examples name by their locale. */
export const SETTINGS: Readonly<Record<string, Locale>> = {
  'en-GB': { country: 'GB', locale: 'en-GB', timezone: 'Europe/London' },
  'de-DE': { country: 'DE', locale: 'de-DE', timezone: 'Europe/Berlin' },
};

/** One template or condition of the page, and what the page says that comes of it. */
export interface Example {
  readonly kind: 'template' | 'condition';
  /** In the page, from 1. */
  readonly line: number;
  readonly source: string;
  /** One of {@link SETTINGS}. */
  readonly settings: string;
  /** The text, `yes` or `no`; after `fails: ` or `refused: ` the reason. */
  readonly gives: string;
  readonly payload: unknown;
  readonly item: unknown;
}

/** The scope of the templates in an example; the page says the same. */
export const scopeOf = ({ payload, item }: Example): Scope => ({
  payload,
  event: {
    id: 'evt_01m7ygnc129ats8d9q95vre3gr',
    type: 'order.paid',
    source: 'shop',
    received_at: '2026-01-05T08:30:00.000Z',
    dedupe_key: null,
  },
  headers: { 'x-shop': 'berlin' },
  query: { ref: 'r-17' },
  ...(item !== undefined && { item, index: 1 }),
});

/**
 * The examples of a page in Markdown. A fence `json payload` or `json item` says what the next ones see. A fence
 * `liquid`, perhaps with a locale behind it, goes with the fence `text` that follows. A table whose first column is
 * `template` has a column for each locale, or `gives`; one of a `condition` has `holds`. Everything stands in code.
 */
export function examplesIn(page: string): readonly Example[] {
  const lines = page.split('\n');
  const found: Example[] = [];
  let seen: { payload: unknown; item: unknown } = { payload: {}, item: undefined };
  let open: Pick<Example, 'line' | 'source' | 'settings'> | undefined;
  let head: readonly string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, info] = /^\s*```(.+)$/.exec(line) ?? [];
    if (info !== undefined) {
      const body = fenced(lines, at);
      const [language, word] = info.split(' ');
      if (language === 'json' && word === 'payload')
        seen = { payload: JSON.parse(body) as unknown, item: undefined };
      if (language === 'json' && word === 'item') seen = { ...seen, item: JSON.parse(body) as unknown };
      if (language === 'liquid') open = { line: at + 1, source: body, settings: word ?? 'en-GB' };
      if (language === 'text' && open) found.push({ kind: 'template', ...open, ...seen, gives: body });
      if (language === 'text') open = undefined;
      at += body.split('\n').length + 1;
    } else if (!line.startsWith('|')) head = [];
    else if (head.length === 0) head = cellsOf(line);
    else if (!/^\|[-| ]+$/.test(line))
      found.push(...rowExamples(head, cellsOf(line)).map((one) => ({ ...one, ...seen, line: at + 1 })));
  }
  return found;
}

function fenced(lines: readonly string[], from: number): string {
  const end = lines.findIndex((line, at) => at > from && /^\s*```\s*$/.test(line));
  const indent = /^\s*/.exec(lines[from] ?? '')?.[0].length ?? 0;
  return lines
    .slice(from + 1, end)
    .map((line) => line.slice(indent))
    .join('\n');
}

/** The cells of a row; a `|` in one is written `\|`. */
const cellsOf = (row: string): readonly string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

type RowExample = Pick<Example, 'kind' | 'source' | 'settings' | 'gives'>;

function rowExamples(head: readonly string[], cells: readonly string[]): RowExample[] {
  const [kind = ''] = head;
  if (kind !== 'template' && kind !== 'condition') return [];
  const source = codeOf(cells[0] ?? '');
  return head.slice(1).flatMap((name, index): RowExample[] => {
    const settings = name === 'gives' || name === 'holds' ? 'en-GB' : codeOf(name);
    const cell = cells[index + 1] ?? '';
    return Object.hasOwn(SETTINGS, settings) ? [{ kind, source, settings, gives: givenOf(cell) }] : [];
  });
}

/** The result in a cell: code as it is, after a word for a failure; `nothing` is an empty text. */
function givenOf(cell: string): string {
  if (cell === 'nothing') return '';
  const [, word, rest] = /^(fails|refused): (.*)$/.exec(cell) ?? [];
  return word === undefined || rest === undefined ? codeOf(cell) : `${word}: ${codeOf(rest)}`;
}

/** The text between the backticks of a piece of code; other text as it is. */
function codeOf(cell: string): string {
  const [, , code] = /^(`+)(.*)\1$/.exec(cell) ?? [];
  if (code === undefined) return cell;
  return /^ .*\S.* $/.test(code) ? code.slice(1, -1) : code;
}
