import type { Canary } from './canary-values.ts';

/** Something that was written, said or answered, and where. */
export interface Trace {
  /** Begins with its kind: `log`, `answer`, `row`, `file`, `notice`. */
  readonly place: string;
  /** Each character is a byte. */
  readonly text: string;
}

/** A canary that stands where it must not. It says how it was known, and never what stands around it. */
interface Finding {
  readonly canary: string;
  readonly form: string;
  readonly place: string;
}

/** A canary that may stand in a certain place, and the reason. Everything else may stand nowhere. */
export interface Allowance {
  readonly canary: string;
  readonly place: RegExp;
  readonly why: string;
}

/** Looks for every canary in every trace. */
export function search(
  traces: readonly Trace[],
  canaries: readonly Canary[],
  allowances: readonly Allowance[],
): readonly Finding[] {
  return traces.flatMap(({ place, text }) => {
    const lower = text.toLowerCase();
    return canaries.flatMap(({ name, needles }) => {
      if (allowances.some((one) => one.canary === name && one.place.test(place))) return [];
      const found = needles.find((needle) => lower.includes(needle.text));
      return found === undefined ? [] : [{ canary: name, form: found.form, place }];
    });
  });
}

/** One line for a person. */
export const describeFinding = ({ canary, form, place }: Finding): string =>
  `${canary} (${form}) in ${place}`;
