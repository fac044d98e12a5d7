import { describeError, log } from '../lib/log.ts';
import { inTime } from '../lib/timeout.ts';
import { hasPlans, usePlans } from '../template/filters/phone-library.ts';

/** Where the numbering plans are among the deployment's own assets. */
const ADDRESS = 'https://assets.invalid/phones/plans.json';

/** How long a read is shared and waited for, in ms: a cancelled request takes its read with it. */
const READ_MS = 2_000;

let underWay: { readonly at: number; readonly done: Promise<void> } | null = null;

/**
 * Reads the numbering plans, once for all that run in this isolate; null: they are there. Whatever may read a phone number
 * has awaited it. `onRead` is called for a read. Rejects when they cannot be read; the next caller tries again.
 */
export function readPlans(env: Pick<Env, 'ASSETS'>, now: number, onRead?: () => void): Promise<void> | null {
  if (hasPlans()) return null;
  if (underWay === null || now - underWay.at >= READ_MS || now < underWay.at) {
    onRead?.();
    underWay = { at: now, done: read(env) };
  }
  return inTime(READ_MS, underWay.done, 'the numbering plans of phone numbers did not come in time');
}

async function read({ ASSETS }: Pick<Env, 'ASSETS'>): Promise<void> {
  try {
    const found = await ASSETS.fetch(ADDRESS);
    const text = await found.text();
    if (!found.ok)
      throw new Error(
        `asset /phones/plans.json: status ${found.status}; deploy again, with the folder \`assets\``,
      );
    usePlans(text);
  } catch (thrown) {
    underWay = null;
    log('error', 'phones.read.failed', { error: describeError(thrown) });
    throw new Error('the numbering plans of phone numbers cannot be read', { cause: thrown });
  }
}
