import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { t } from '../../../texts/texts.ts';
import { atCursor, localsIn, hintOf, keysOf, valueAt, type WebhookScope } from './at-cursor.ts';
import filters from './filters.json' with { type: 'json' };

const TAGS: Readonly<Record<string, string>> = t.templates.tags;
const NAMES: Readonly<Record<string, string>> = t.templates.names;

/** The completions here, with their values in the webhook beside it. */
export function completionsAt(context: CompletionContext, scope: WebhookScope): CompletionResult | null {
  const text = context.state.doc.toString();
  const place = atCursor(text, context.pos);
  if (place === null) return null;
  const { from } = place;
  switch (place.is) {
    case 'tag':
      return { from, options: Object.entries(TAGS).map(tagOption), validFor: /^\w*$/ };
    case 'filter':
      return { from, options: filters.map(filterOption), validFor: /^\w*$/ };
    case 'path': {
      const locals = localsIn(text, context.pos);
      if (place.holder.length === 0) {
        if (from === context.pos && !context.explicit) return null;
        return {
          from,
          options: [...locals.map(localOption(scope, locals)), ...nameOptions(scope)],
          validFor: /^[\w-]*$/,
        };
      }
      const keys = keysOf(valueAt(scope, place.holder, locals));
      return { from, options: keys.map((key, at) => keyOption(key, -at)), validFor: /^[\w-]*$/ };
    }
  }
}

const tagOption = ([label, detail]: [string, string]): Completion => ({ label, detail, type: 'keyword' });

const filterOption = ({ name, example, gives }: (typeof filters)[number]): Completion => ({
  label: name,
  detail: `→ ${gives}`,
  info: `${example}\n→ ${gives}`,
  type: 'function',
});

const nameOptions = (scope: WebhookScope): readonly Completion[] =>
  Object.entries(NAMES).map(([label, detail]) => ({
    label,
    detail: scope[label] === undefined ? detail : `${detail} · ${hintOf(scope[label])}`,
    type: 'variable',
    boost: label === 'payload' ? 2 : scope[label] === undefined ? -1 : 1,
  }));

const localOption =
  (scope: WebhookScope, locals: ReturnType<typeof localsIn>) =>
  ({ name }: ReturnType<typeof localsIn>[number]): Completion => ({
    label: name,
    detail: hintOf(valueAt(scope, [name], locals)),
    type: 'variable',
    boost: 3,
  });

/** Keys stay in the order of the webhook. */
const keyOption = ({ name, step, hint }: ReturnType<typeof keysOf>[number], boost: number): Completion => ({
  label: name,
  detail: hint,
  type: 'property',
  boost: Math.max(boost / 4, -99),
  // The dot is typed already, and a name with spaces has none.
  apply: step.startsWith('.')
    ? step.slice(1)
    : (view, _, from, to) => view.dispatch({ changes: { from: from - 1, to, insert: step } }),
});
