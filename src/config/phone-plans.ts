import { describeError, log } from '../lib/log.ts';
import { SingleFlight } from '../lib/single-flight.ts';
import { assetText } from './asset-text.ts';
import { hasPlans, usePlans } from '../template/filters/phone-library.ts';

/** The time for which a read is shared and waited for, in ms. */
const READ_MS = 2_000;

const reading = new SingleFlight<void>(
  READ_MS,
  'the numbering plans of phone numbers did not arrive in time',
);

/**
 * Reads the numbering plans, once for all that run in this isolate; null: they are there. Whatever may read a phone number
 * has awaited it. `onRead` is called for a read. Rejects when they cannot be read; the next caller tries again.
 */
export function readPlans(env: Pick<Env, 'ASSETS'>, now: number, onRead?: () => void): Promise<void> | null {
  if (hasPlans()) return null;
  return reading.run(now, () => {
    onRead?.();
    return read(env);
  });
}

async function read({ ASSETS }: Pick<Env, 'ASSETS'>): Promise<void> {
  try {
    usePlans(await assetText(ASSETS, 'phones/plans.json'));
  } catch (thrown) {
    log('error', 'phones.read.failed', { error: describeError(thrown) });
    throw new Error('the numbering plans of phone numbers cannot be read', { cause: thrown });
  }
}
