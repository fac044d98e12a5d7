import {
  autocompletion,
  type Completion,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, type StreamParser, syntaxHighlighting } from '@codemirror/language';
import { Annotation, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { faultText } from '../../../texts/relay-texts.ts';
import type { TemplateFault } from '../fields.ts';
import { atCursor, hintOf, keysOf, localsIn, valueAt, type WebhookScope } from './at-cursor.ts';
import { t } from '../../../texts/texts.ts';
import filters from './filters.json' with { type: 'json' };

interface Options {
  /** Its styles are those of this root, so that no policy of the page has to allow inline ones. */
  readonly root: ShadowRoot;
  readonly text: string;
  /** Its name, and how it is used, for those who hear the page. */
  readonly label: string;
  readonly hint: string;
  readonly isReadOnly: boolean;
  readonly onText: (text: string) => void;
  readonly scope: () => WebhookScope;
}

/** A text that the page shows, which nobody typed: the page is not notified of it. */
const shown = Annotation.define<true>();

export function openCode({ root, text, label, hint, isReadOnly, onText, scope }: Options) {
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        // Without Tab: it leaves the editor, as it leaves every field.
        keymap.of([...completionKeymap, ...historyKeymap, ...standardKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-description': hint,
          // It also makes the scrolling area around it reachable.
          tabindex: '0',
          spellcheck: 'false',
          autocapitalize: 'off',
          dir: 'auto',
        }),
        EditorState.readOnly.of(isReadOnly),
        liquidLanguage,
        autocompletion({
          override: [(context) => completionsAt(context, scope())],
          icons: false,
          activateOnTyping: !isReadOnly,
        }),
        EditorView.perLineTextDirection.of(true),
        EditorView.updateListener.of((update) => {
          const isTyped = update.docChanged && !update.transactions.some((one) => one.annotation(shown));
          if (isTyped) onText(update.state.doc.toString());
        }),
        faultMarks,
        look,
      ],
    }),
  });
  return {
    setText: (next: string): void => {
      const old = view.state.doc.toString();
      if (next !== old)
        view.dispatch({ changes: { from: 0, to: old.length, insert: next }, annotations: shown.of(true) });
    },
    setFaults: (faults: readonly TemplateFault[]) => mark(view, faults),
    close: () => view.destroy(),
  };
}

export type Code = ReturnType<typeof openCode>;

/** The editor in the console's colours, which are light and dark pairs already. */
const theme = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--panel)',
    border: '1px solid var(--edge)',
    borderRadius: '8px',
    fontSize: 'var(--code-size, 13.5px)',
    maxHeight: '60vh',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', borderRadius: '8px', overflow: 'auto' },
  '.cm-content': { padding: '9px 0', minHeight: 'var(--code-height, 0)', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 11px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--panel)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    boxShadow: 'var(--lift)',
    overflow: 'hidden',
    zIndex: '10',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    maxHeight: '15em',
    maxWidth: 'min(560px, 88vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: '12px',
    padding: '5px 10px',
    lineHeight: '1.4',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-wash)',
    color: 'var(--ink)',
  },
  '.cm-completionLabel': { flex: 'none' },
  '.cm-completionDetail': {
    color: 'var(--soft)',
    fontStyle: 'normal',
    marginLeft: 'auto',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)', fontWeight: '650' },
  '.cm-completionInfo': {
    padding: '8px 10px',
    fontFamily: 'var(--mono)',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  '.cm-fault': {
    backgroundColor: 'var(--bad-wash)',
    textDecoration: 'underline wavy var(--bad)',
    textDecorationSkipInk: 'none',
  },
  '.cm-doubt': { backgroundColor: 'var(--warn-wash)', textDecorationColor: 'var(--warn)' },
});

const colours = HighlightStyle.define([
  { tag: tags.meta, color: 'var(--soft)' },
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.function(tags.variableName), color: 'var(--busy)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--warn)' },
  { tag: tags.propertyName, color: 'var(--busy)' },
  { tag: tags.operator, color: 'var(--soft)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
]);

const look: Extension = [theme, syntaxHighlighting(colours)];

const setMarks = StateEffect.define<DecorationSet>();

/** The errors at their places, which move with the text until the next response. */
const faultMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, { changes, effects }) {
    const set = effects.find((effect) => effect.is(setMarks));
    return set === undefined ? old.map(changes) : set.value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function mark(view: EditorView, faults: readonly TemplateFault[]): void {
  const { length } = view.state.doc;
  const ranges = faults.flatMap(({ from, to, isError, code, params, message }) => {
    const [start, end] = [Math.min(from, length), Math.min(to, length)];
    // The same is in a list below the editor.
    const look = {
      class: isError ? 'cm-fault' : 'cm-fault cm-doubt',
      attributes: { title: faultText({ code, params, message }) },
    };
    return start < end ? [Decoration.mark(look).range(start, end)] : [];
  });
  view.dispatch({ effects: setMarks.of(Decoration.set(ranges, true)) });
}

interface StreamState {
  /** What a word between braces can be; null: this is no place between braces. */
  next: 'tag' | 'filter' | 'value' | null;
  /** The block in which no other tag counts than its end; null: none. */
  block: 'comment' | 'raw' | null;
}

const KEYWORDS = /^(?:and|or|not|contains|in|with|reversed|true|false|nil|null|blank|empty)$/;

/** Colours of Liquid, by hand: the grammar that there is for CodeMirror brings those of HTML, CSS and JavaScript. */
const liquidParser: StreamParser<StreamState> = {
  name: 'liquid',
  startState: () => ({ next: null, block: null }),
  copyState: (place) => ({ ...place }),
  token(stream, place) {
    if (place.next !== null) return inside(stream, place);
    const end = place.block === 'comment' ? /^\{%-?\s*endcomment\b/ : /^\{%-?\s*endraw\b/;
    if (stream.match(end, false)) place.block = null;
    if (place.block === null && stream.match(/^\{[{%]-?/)) {
      place.next = stream.current().startsWith('{%') ? 'tag' : 'value';
      return 'meta';
    }
    stream.next();
    while (!stream.eol() && !stream.match(place.block === null ? /^\{[{%]/ : '{%', false)) stream.next();
    return place.block === 'comment' ? 'comment' : null;
  },
};

function inside(stream: Parameters<typeof liquidParser.token>[0], place: StreamState): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^-?[%}]\}/)) {
    place.next = null;
    return 'meta';
  }
  if (stream.match(/^(?:"[^"]*"?|'[^']*'?)/)) return 'string';
  if (stream.match(/^-?\d+(?:\.\d+)?/)) return 'number';
  if (stream.match('|')) {
    place.next = 'filter';
    return 'operator';
  }
  if (!stream.match(/^[\p{L}_][\p{L}\p{N}_-]*/u)) {
    stream.next();
    return 'operator';
  }
  const word = stream.current();
  const { next } = place;
  place.next = 'value';
  if (next === 'filter') return 'variableName.function';
  if (next === 'tag' && (word === 'comment' || word === 'raw')) place.block = word;
  return next === 'tag' || KEYWORDS.test(word) ? 'keyword' : 'variableName';
}

const liquidLanguage = StreamLanguage.define(liquidParser);

function completionsAt(context: CompletionContext, scope: WebhookScope): CompletionResult | null {
  const text = context.state.doc.toString();
  const place = atCursor(text, context.pos);
  if (place === null) return null;
  const { from } = place;
  if (place.is !== 'path')
    return { from, options: place.is === 'tag' ? TAG_OPTIONS : FILTER_OPTIONS, validFor: /^\w*$/ };
  const locals = localsIn(text, context.pos);
  const validFor = /^[\w-]*$/;
  if (place.holder.length > 0) {
    const keys = keysOf(valueAt(scope, place.holder, locals));
    return { from, options: keys.map(keyOption), validFor };
  }
  if (from === context.pos && !context.explicit) return null;
  const names = locals.map(({ name }) => ({
    label: name,
    detail: hintOf(valueAt(scope, [name], locals)),
    type: 'variable',
    boost: 3,
  }));
  return { from, options: [...names, ...nameOptions(scope)], validFor };
}

const ENDED = ['if', 'unless', 'case', 'for', 'capture', 'comment', 'raw'];

const TAG_OPTIONS = [
  ...Object.entries(t.templates.tags),
  ...ENDED.map((tag) => [`end${tag}`, t.templates.endOf(tag)] as const),
].map(([label, detail]) => ({ label, detail, type: 'keyword' }));

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

/** Keys stay in the order of the webhook. */
const keyOption = ({ name, step, hint }: ReturnType<typeof keysOf>[number], at: number): Completion => ({
  label: name,
  detail: hint,
  type: 'property',
  boost: Math.max(-at / 4, -99),
  // The dot is typed already, and a name with spaces has none.
  apply: step.startsWith('.')
    ? step.slice(1)
    : (view, _, from, to) => view.dispatch({ changes: { from: from - 1, to, insert: step } }),
});
