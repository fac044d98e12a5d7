import { connect } from 'cloudflare:sockets';
import { readCredentials } from '../../config/credentials.ts';
import { checkCall } from '../../gateway/call.ts';
import { canReach } from '../../gateway/reach.ts';
import { send, type AttemptResult, type NoCall } from '../../gateway/client.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import type { WithTimeout } from '../../lib/timeout.ts';
import type { MessageRow } from '../state/message.ts';

/** For the check whether the gateway can be reached: a server that takes longer to connect counts as unreachable. */
const REACH_TIMEOUT_MS = 3_000;

/** One HTTP call for a stored message. A message that is not a valid call is rejected without one. Never throws. */
export async function callGateway(
  env: Env,
  account: string,
  row: MessageRow,
  timeoutMs: number,
  withTimeout: WithTimeout,
): Promise<AttemptResult | NoCall> {
  const credentials = readCredentials(env, account);
  if (!credentials.ok)
    return { outcome: 'unauthorized', detail: credentials.error.join('; '), duration_ms: 0 };
  const call = checkCall({
    kind: row.kind,
    phone: row.phone,
    params: parseOwnJson<Record<string, string>>(row.params),
  });
  if (!call.ok) return { outcome: 'rejected', detail: call.error, duration_ms: 0 };
  return send(call.value, credentials.value, {
    fetch,
    timeoutMs,
    withTimeout,
    now: Date.now,
    // A failed fetch does not say whether the call went out. A message that would then wait for a person checks first.
    ...(row.on_uncertain === 'hold' && {
      canReach: (url) => canReach(url, { connect, fetch, timeoutMs: REACH_TIMEOUT_MS }),
    }),
  });
}
