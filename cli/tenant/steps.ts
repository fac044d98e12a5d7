import type { Failure, CommandResult } from '../failure.ts';
import type { Output } from '../output.ts';

export type TenantSteps = ReturnType<typeof startSteps>;

const WIDTH = 10;

/** Steps in order. Each is shown when it is done; the first that fails ends the command. */
export function startSteps(out: Output) {
  const done: { readonly step: string; readonly detail: string }[] = [];
  return {
    done,
    finish: (step: string, detail: string): void => {
      done.push({ step, detail });
      if (!out.isJson) out.done(`${step.padEnd(WIDTH)}  ${detail}`);
    },
  };
}

/** A failure with the steps that were done and not done: a person has to know what is in force now. */
export function stoppedAt(
  { done }: TenantSteps,
  all: readonly string[],
  failure: Failure,
  again: string,
): Extract<CommandResult, { ok: false }> {
  const finished = done.map(({ step }) => step);
  const left = all.filter((step) => !finished.includes(step));
  const details = [
    ...(failure.details ?? []),
    `done: ${finished.length === 0 ? 'nothing' : finished.join(', ')}; not done: ${left.join(', ')}`,
    `run \`${again}\` again once it is fixed; finished steps can be repeated safely`,
  ];
  return { ok: false, error: { ...failure, details } };
}
