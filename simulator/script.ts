import type { SimulatedKind } from './endpoints.ts';
import type { AnswerStep, ScriptDocument, ScriptStep } from './step.ts';

export type Script = ReturnType<typeof createScript>;

const NORMAL: AnswerStep = { failure: 'ok', times: 1 };

/**
 * The steps that calls consume. A call takes the first remaining step that matches it; without one it is answered
 * normally.
 */
export function createScript() {
  let repeat = false;
  let queue: { readonly step: ScriptStep; left: number }[] = [];

  function take(matches: (step: ScriptStep) => boolean): ScriptStep | null {
    const index = queue.findIndex(({ step }) => matches(step));
    const entry = queue[index];
    if (!entry) return null;
    entry.left -= 1;
    if (entry.left === 0) {
      queue.splice(index, 1);
      // To the end, instead of restarting the whole script: sequences for different phones repeat independently.
      if (repeat) queue.push({ step: entry.step, left: entry.step.times });
    }
    return entry.step;
  }

  return {
    replace(document: ScriptDocument): void {
      repeat = document.repeat;
      queue = document.steps.map((step) => ({ step, left: step.times }));
    },
    /** The steps that calls have not consumed yet. */
    remaining: (): ScriptDocument => ({
      steps: queue.map(({ step, left }) => ({ ...step, times: left })),
      repeat,
    }),
    /** For a call whose kind alone is known: true if it took a `reset_before` step. */
    takeResetBefore(kind: SimulatedKind): boolean {
      const next = queue.find(({ step }) => matchesBeforeBody(step, kind));
      return next?.step.failure === 'reset_before' && take((step) => step === next.step) !== null;
    },
    /** The step that the next call of this kind would take, whatever its receiver. Does not consume it. */
    next(kind: SimulatedKind): AnswerStep | null {
      for (const { step } of queue)
        if (step.failure !== 'reset_before' && matchesCall(step, kind, null)) return step;
      return null;
    },
    /** For a call that has been read: the step that it took, by default a success, and its outcome. */
    takeAnswer(kind: SimulatedKind, phone: string | null) {
      const taken = take((step) => step.failure !== 'reset_before' && matchesCall(step, kind, phone));
      const step = taken === null || taken.failure === 'reset_before' ? NORMAL : taken;
      return { step, outcome: step.failure === 'ok' ? 'accepted' : step.failure };
    },
  };
}

/** A step for one phone never applies before the body is read: the call may be for another phone. */
const matchesBeforeBody = (step: ScriptStep, kind: SimulatedKind): boolean =>
  (step.match?.kind ?? kind) === kind && (step.failure === 'reset_before' || step.match?.phone === undefined);

const matchesCall = (step: AnswerStep, kind: SimulatedKind, phone: string | null): boolean =>
  (step.match?.kind ?? kind) === kind && (step.match?.phone ?? phone) === phone;
