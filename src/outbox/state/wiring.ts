import type { Alarm } from '../../lib/alarm.ts';
import { describeError, log } from '../../lib/log.ts';
import type { Calls } from './calls.ts';

/** Makes a change outside of a commit, and what follows from it. */
export type Now = <Done>(change: () => Done) => Done;

/** What the parts of an outbox have in common. */
export interface Wiring {
  readonly sql: SqlStorage;
  readonly account: () => string;
  readonly tag: string;
  readonly clock: () => number;
  readonly alarm: Pick<Alarm, 'bringForward'>;
  readonly calls: Pick<Calls, 'left' | 'spend'>;
  /** The value of the Worker secret of this name, if it is set and may be an address. */
  readonly secret: (name: string) => string | undefined;
  readonly fetch: typeof fetch;
  readonly waitUntil: (work: Promise<void>) => void;
}

/**
 * Does work in the background: never twice at once, and without an exception. If it is asked for meanwhile, it is done
 * again. The alarm comes for what is left.
 */
export function inBackground(
  { account, alarm, waitUntil }: Pick<Wiring, 'account' | 'alarm' | 'waitUntil'>,
  failed: 'escape.failed' | 'handing.failed' | 'outbox.digest.failed' | 'owner.notice.failed',
  nextAt: () => number | null = () => null,
) {
  let isRunning = false;
  /** The newest, since what an earlier one knows may be out of date. */
  let asked: (() => Promise<void>) | null = null;
  const run = async (): Promise<void> => {
    try {
      for (let work = asked; work !== null; work = asked) {
        asked = null;
        // Not in the commit that is being made now.
        await Promise.resolve();
        await work();
      }
    } catch (thrown) {
      log('error', failed, { account: account(), error: describeError(thrown) });
    }
    isRunning = false;
    alarm.bringForward(nextAt());
  };
  return {
    get isRunning(): boolean {
      return isRunning;
    },
    start(work: () => Promise<void>): void {
      asked = work;
      if (isRunning) return;
      isRunning = true;
      waitUntil(run());
    },
  };
}
