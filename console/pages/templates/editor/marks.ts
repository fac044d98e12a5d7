import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';
import { faultText } from '../../../texts/said.ts';
import type { TemplateFault } from '../faults.ts';

const setMarks = StateEffect.define<DecorationSet>();

/** The errors at their places, which move with the text until the next response. */
export const faultMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, { changes, effects }) {
    const set = effects.find((effect) => effect.is(setMarks));
    return set === undefined ? old.map(changes) : set.value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function mark(view: EditorView, faults: readonly TemplateFault[]): void {
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
