import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, hoverTooltip, type DecorationSet } from '@codemirror/view';
import type { Fault } from '../faults.ts';

const setMarks = StateEffect.define<DecorationSet>();

/** What is wrong, where it is: it moves with the text until the next answer says where it is then. */
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, { changes, effects }) {
    const set = effects.find((effect) => effect.is(setMarks));
    return set === undefined ? old.map(changes) : set.value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function mark(view: EditorView, faults: readonly Fault[]): void {
  const { length } = view.state.doc;
  const ranges = faults.flatMap(({ from, to, isError, message }) => {
    const [start, end] = [Math.min(from, length), Math.min(to, length)];
    const look = { class: isError ? 'cm-fault' : 'cm-fault cm-doubt', message };
    return start < end ? [Decoration.mark(look).range(start, end)] : [];
  });
  view.dispatch({ effects: setMarks.of(Decoration.set(ranges, true)) });
}

/** What a mark says, under the pointer. The same is in a list below the editor. */
const tips = hoverTooltip((view, at) => {
  const messages: string[] = [];
  view.state.field(marks).between(at, at, (_, __, { spec }) => {
    messages.push(String(Reflect.get(Object(spec), 'message')));
  });
  if (messages.length === 0) return null;
  return {
    pos: at,
    create() {
      const dom = document.createElement('div');
      dom.className = 'cm-fault-tip';
      dom.textContent = messages.join('\n');
      return { dom };
    },
  };
});

export const faultMarks: Extension = [marks, tips];
