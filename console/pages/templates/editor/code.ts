import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { Fault } from '../faults.ts';
import { completionsAt } from './complete.ts';
import { look } from './look.ts';
import { jsonLanguage, liquidLanguage } from './stream.ts';
import type { Scope } from './values.ts';

/** An open editor. */
export interface Code {
  /** Shows another text, unless it is what stands there. */
  readonly setText: (text: string) => void;
  readonly setFaults: (faults: readonly Fault[]) => void;
  readonly close: () => void;
}

interface Options {
  /** Its styles are those of this root, so that no policy of the page has to allow inline ones. */
  readonly root: ShadowRoot;
  readonly text: string;
  readonly language: 'liquid' | 'json';
  /** Its name, and how it is used, for those who hear the page. */
  readonly label: string;
  readonly hint: string;
  readonly isReadOnly: boolean;
  readonly onText: (text: string) => void;
  readonly scope: () => Scope;
}

export function openCode({ root, text, language, label, hint, isReadOnly, onText, scope }: Options): Code {
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        // Without Tab: it leaves the editor, as it leaves every field.
        keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-description': hint,
          spellcheck: 'false',
          autocapitalize: 'off',
          dir: 'auto',
        }),
        EditorState.readOnly.of(isReadOnly),
        ...(language === 'json'
          ? [jsonLanguage]
          : [
              liquidLanguage,
              autocompletion({
                override: [(context) => completionsAt(context, scope())],
                icons: false,
                activateOnTyping: !isReadOnly,
              }),
            ]),
        EditorView.perLineTextDirection.of(true),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onText(update.state.doc.toString());
        }),
        look,
      ],
    }),
  });
  return {
    setText(next) {
      const old = view.state.doc.toString();
      if (next !== old) view.dispatch({ changes: { from: 0, to: old.length, insert: next } });
    },
    setFaults(faults) {
      const { length } = view.state.doc;
      const marks = faults.map(({ from, to, isError, message }) => ({
        from: Math.min(from, length),
        to: Math.min(to, length),
        severity: isError ? ('error' as const) : ('warning' as const),
        message,
      }));
      view.dispatch(setDiagnostics(view.state, marks));
    },
    close: () => view.destroy(),
  };
}
