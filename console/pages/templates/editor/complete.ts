import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { t } from '../../../texts/texts.ts';
import { atCursor, localsIn, hintOf, keysOf, valueAt, type WebhookScope } from './at-cursor.ts';
import filters from './filters.json' with { type: 'json' };

/** The completions here, with their values in the webhook beside it. */
export function completionsAt(context: CompletionContext, scope: WebhookScope): CompletionResult | null {
  const text = context.state.doc.toString();
  const place = atCursor(text, context.pos);
  if (place === null) return null;
  const { from } = place;
  switch (place.is) {
    case 'tag':
      return { from, options: TAG_OPTIONS, validFor: /^\w*$/ };
    case 'filter':
      return { from, options: FILTER_OPTIONS, validFor: /^\w*$/ };
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

const TAG_OPTIONS = Object.entries(t.templates.tags).map(([label, detail]) => ({
  label,
  detail,
  type: 'keyword',
}));

const FILTER_OPTIONS = filters.map(({ name, example, gives }) => ({
  label: name,
  detail: `→ ${gives}`,
  info: `${example}\n→ ${gives}`,
  type: 'function',
}));

const nameOptions = (scope: WebhookScope): readonly Completion[] =>
  Object.entries(t.templates.names).map(([label, detail]) => ({
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
