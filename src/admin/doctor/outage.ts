import { credentialNames } from '../../config/secrets/credential-names.ts';
import type { OutboxStatus } from '../../outbox/answers/api-status.ts';
import { count, ofAccount, type Check } from './check.ts';

/** The commands that set the login again and resume the account. */
export function loginRemedy(account: string): string {
  const { email, apiKey } = credentialNames(account);
  return `Set the login again (npx wrangler secret put ${email}, npx wrangler secret put ${apiKey}), then npx hookbell resume ${account}`;
}

/** The number of an account's waiting messages, as text. */
export const waitingText = ({ queued, retrying }: OutboxStatus): string =>
  `${count(queued + retrying, 'message')} waiting`;

/** True if an account's last message failed at its gateway, or the gateway paused the account. */
export const isOut = ({ circuit, paused }: OutboxStatus): boolean =>
  paused?.by === 'gateway' || circuit.failures > 0;

/**
 * One finding about an account's gateway: the failures of its messages, and the result of a call just now (null if
 * there was none). Null if nothing failed. Times are ISO 8601, so that every client can show its own time zone.
 */
export function outageCheck(status: OutboxStatus, probed: Check | null): Check | null {
  if (!isOut(status)) return null;
  const { account, circuit, paused, waits_for: waits } = status;
  const { last_error: last } = circuit;
  // An open circuit is not probed while every message waits for another reason.
  const isHeldElsewhere = waits?.for === 'receiver' || waits?.for === 'contact' || waits?.for === 'retry';
  const probeAt = isHeldElsewhere ? undefined : circuit.probe_at;
  const isRefused = paused?.by === 'gateway';
  // The gateway works again, or no message is left: report what happened. There is nothing to fix.
  const isOver = !isRefused && probeAt === undefined && status.queued + status.retrying === 0;
  const isDown = isRefused || probeAt !== undefined || probed?.status === 'fail';
  const what = isRefused
    ? `refuses the account, which has been paused since ${paused.since}: ${paused.reason}`
    : `failed ${count(circuit.failures, 'time')} in a row${last === undefined ? '' : `, the last at ${last.at}: ${last.detail}`}`;
  const remedy = isRefused
    ? loginRemedy(account)
    : isOver
      ? probed?.remedy
      : (failedRemedy(probed) ?? (isHeldElsewhere ? undefined : triesText(account, probeAt)));
  return {
    id: `gateway:${account}`,
    title: `Gateway${ofAccount(account)}`,
    status: isDown ? 'fail' : isOver ? (probed?.status ?? 'unknown') : 'warn',
    code: isRefused ? 'account-refused' : isOver ? 'gateway-failed' : 'gateway-failing',
    params: {
      failures: String(circuit.failures),
      waiting: String(status.queued + status.retrying),
      error: isRefused ? paused.reason : (last?.detail ?? ''),
      ...(last !== undefined && { at: last.at }),
      ...(probeAt !== undefined && { probe_at: probeAt }),
    },
    detail: `${what}; ${waitingText(status)}${isHeldElsewhere ? `, and hookbell tries again once one may be sent${waits.until === undefined ? '' : `, not before ${waits.until}`}` : ''}${probed === null ? '' : `. A test call just now: ${probed.detail}`}`,
    ...(remedy !== undefined && { remedy }),
  };
}

const failedRemedy = (probed: Check | null): string | undefined =>
  probed?.status === 'fail' ? probed.remedy : undefined;

const triesText = (account: string, probeAt: string | undefined): string =>
  `Fix the gateway: hookbell tries one message${probeAt === undefined ? '' : ` at ${probeAt}`}, and sends the rest once it gets an answer. To try at once: npx hookbell resume ${account}`;
