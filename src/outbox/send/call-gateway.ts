import { connect } from 'cloudflare:sockets';
import type { AccountPolicy } from '../../config/compiled/config.ts';
import { loginMissing } from '../../lib/reason.ts';
import { readGateway } from '../../config/secrets/gateway.ts';
import { receiverRule } from '../../config/compiled/gateway-spec.ts';
import { checkCall } from '../../gateway/kinds.ts';
import { canReach, send, type AttemptResult, type NoCall, type SendOptions } from '../../gateway/client.ts';
import { notSendable } from '../../gateway/http.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { messageId, type MessageRow } from '../state/message.ts';

/** A server that takes longer to connect counts as unreachable. */
const REACH_TIMEOUT_MS = 3_000;

/** A message that is not a valid call is rejected without one. Never throws. */
export async function callGateway(
  env: Env,
  { account, tag }: { readonly account: string; readonly tag: string },
  row: MessageRow,
  { gateway: spec, timeoutMs }: Pick<AccountPolicy, 'gateway' | 'timeoutMs'>,
  timing: Pick<SendOptions, 'now' | 'withTimeout'>,
): Promise<AttemptResult | NoCall> {
  const gateway = readGateway(env, account, spec);
  if (!gateway.ok) return { outcome: 'unauthorized', ...loginMissing(gateway.error), duration_ms: 0 };
  const call = checkCall(
    { kind: row.kind, phone: row.phone, params: parseOwnJson<Record<string, string>>(row.params) },
    receiverRule(spec),
  );
  if (!call.ok) return { ...notSendable(call.error), duration_ms: 0 };
  const options: SendOptions = {
    fetch,
    timeoutMs,
    ...timing,
    // A failed fetch does not show whether the call went out. If the message would then wait for a person, this check
    // comes first.
    ...(row.on_uncertain === 'hold' && {
      canReach: (url) => canReach(url, { connect, fetch, timeoutMs: REACH_TIMEOUT_MS }),
    }),
  };
  return send(call.value, gateway.value, options, messageId(row.seq, tag));
}
