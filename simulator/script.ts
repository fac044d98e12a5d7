import { type SimulatedKind, KINDS } from './endpoints.ts';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod';

const MAX_STEPS = 1000;
const MAX_TIMES = 1_000_000;
/** Longer than any time-out that is worth testing (ms). */
const MAX_DELAY_MS = 3_600_000;
const MAX_HUGE_BYTES = 1024 * 1024 * 1024;

const kind = z.enum(KINDS);
const phone = z
  .string()
  .regex(
    /^[\w@.-]{1,64}$/,
    'must be 7 to 15 digits that start with the country code, or an address of another gateway',
  );
const delay = z.int().min(0).max(MAX_DELAY_MS);

const step = {
  /** The number of matching calls that take this step. */
  times: z.int().min(1).max(MAX_TIMES).default(1),
  match: z.strictObject({ phone: phone.optional(), kind: kind.optional() }).optional(),
  /** True if the phone gets the message; overrides the failure's default. */
  delivered: z.boolean().optional(),
};

const headers = z
  .record(z.string(), z.string())
  .refine(
    areValidHeaders,
    'must be HTTP headers, without Content-Length and Transfer-Encoding (for a wrong length use `cut`)',
  );

const stepSchema = z.discriminatedUnion('failure', [
  /**
   * `html`: 200 with a web page, as of a proxy or an expired plan. `cut`: a success whose body ends before its
   * Content-Length, with the connection. `garbage`: 200 with JSON that stops in the middle, its length right. `reset`: a
   * TCP reset once the call has been read.
   */
  z.strictObject({ failure: z.enum(['ok', 'html', 'empty', 'cut', 'garbage', 'reset']), ...step }),
  /** This HTTP status; without `body`, a JSON failure body. */
  z.strictObject({
    failure: z.literal('status'),
    status: z.int().min(200).max(599),
    headers: headers.optional(),
    body: z.string().optional(),
    ...step,
  }),
  z.strictObject({
    failure: z.literal('refused'),
    message: z.string().default('The message was refused.'),
    status_code: z.int().default(400),
    ...step,
  }),
  /** No answer: the connection stays open until the simulator closes, or is dropped after `ms`. */
  z.strictObject({ failure: z.literal('hang'), ms: delay.optional(), ...step }),
  /** A TCP reset before the body is read; not recorded. Its receiver is not known then. */
  z.strictObject({
    failure: z.literal('reset_before'),
    times: step.times,
    match: z.strictObject({ kind: kind.optional() }).optional(),
  }),
  z.strictObject({ failure: z.literal('slow'), ms: delay, ...step }),
  /** A failure that repeats the caller's credentials in its `message`. */
  z.strictObject({
    failure: z.literal('echo_secret'),
    status: z.int().min(200).max(599).default(200),
    ...step,
  }),
  z.strictObject({
    failure: z.literal('huge'),
    bytes: z
      .int()
      .min(1)
      .max(MAX_HUGE_BYTES)
      .default(10 * 1024 * 1024),
    ...step,
  }),
]);

/** The document of `PUT /_control/script`. */
export const scriptSchema = z.strictObject({
  steps: z.array(stepSchema).max(MAX_STEPS),
  /** A used step moves to the end of the queue instead of being removed. */
  repeat: z.boolean().default(false),
});

type ScriptStep = z.infer<typeof stepSchema>;

type ScriptDocument = z.infer<typeof scriptSchema>;

/** A step that applies after the call has been read. */
export type AnswerStep = Exclude<ScriptStep, { failure: 'reset_before' }>;

function areValidHeaders(given: Readonly<Record<string, string>>): boolean {
  return Object.entries(given).every(([name, value]) => {
    if (['content-length', 'transfer-encoding'].includes(name.toLowerCase())) return false;
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
      return true;
    } catch {
      return false;
    }
  });
}

export type Script = ReturnType<typeof createScript>;

const NORMAL: AnswerStep = { failure: 'ok', times: 1 };

/** A call takes the first step left that matches it; without one it is answered normally. */
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
