import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { Annotation, EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { TemplateFault } from '../faults.ts';
import { completionsAt } from './complete.ts';
import { look } from './look.ts';
import { faultMarks, mark } from './marks.ts';
import { jsonLanguage, liquidLanguage } from './stream.ts';
import type { WebhookScope } from './values.ts';

/** An open editor. */
export interface Code {
  /** Shows another text, unless it is what stands there. */
  readonly setText: (text: string) => void;
  readonly setFaults: (faults: readonly TemplateFault[]) => void;
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
  readonly scope: () => WebhookScope;
}

/** A text that the page shows, which nobody typed: the page is not notified of it. */
const shown = Annotation.define<true>();

export function openCode({ root, text, language, label, hint, isReadOnly, onText, scope }: Options): Code {
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
          const isTyped = update.docChanged && !update.transactions.some((one) => one.annotation(shown));
          if (isTyped) onText(update.state.doc.toString());
        }),
        faultMarks,
        look,
      ],
    }),
  });
  return {
    setText(next) {
      const old = view.state.doc.toString();
      if (next !== old)
        view.dispatch({ changes: { from: 0, to: old.length, insert: next }, annotations: shown.of(true) });
    },
    setFaults: (faults) => mark(view, faults),
    close: () => view.destroy(),
  };
}
