import { ask, Refused } from '../../api/client.ts';
import type { StepAnswer } from './steps.ts';

export type BulkKind = 'replay' | 'retry' | 'cancel';

const PATHS: Readonly<Record<BulkKind, string>> = {
  replay: '/events/replay',
  retry: '/messages/retry',
  cancel: '/messages/cancel',
};

/** The attempts at a step that gets no answer. A step that is repeated does nothing twice. */
const TRIES = 4;

interface BulkStep {
  readonly kind: BulkKind;
  readonly body: Readonly<Record<string, string>>;
  readonly isDryRun: boolean;
  readonly cursor: string | null;
}

/** One step. Without a filter the API wants to hear that all are meant. */
export async function askStep({ kind, body, isDryRun, cursor }: BulkStep): Promise<StepAnswer> {
  const { only, ...filter } = body;
  const given = {
    ...filter,
    ...(Object.keys(filter).length === 0 && { all: true }),
    ...(only !== undefined && { only }),
    ...(cursor !== null && { cursor }),
  };
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask<StepAnswer>('POST', PATHS[kind], {
        body: given,
        ...(isDryRun && { query: { dry_run: true } }),
      });
    } catch (thrown) {
      if (!(thrown instanceof Refused) || thrown.status !== 503 || tries === TRIES) throw thrown;
      await new Promise((done) => setTimeout(done, 500 * 2 ** tries));
    }
  }
}
