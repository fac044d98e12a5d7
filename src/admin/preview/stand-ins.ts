import { gatewayName, receiverRule, shapeOf } from '../../config/gateway-spec.ts';
import { checkCall } from '../../gateway/call.ts';
import type { GatewaySpec } from '../../gateway/shape.ts';
import { outgoing } from '../../gateway/stand-in.ts';

interface Made {
  readonly kind: string;
  readonly phone: string | null;
  readonly params: Readonly<Record<string, string>>;
}

/** Explains what the gateway sends in place of these messages; each once. */
export function standIns(messages: readonly Made[], spec: GatewaySpec): readonly string[] {
  const shape = shapeOf(spec);
  if (shape === null) return [];
  const texts = messages.flatMap(({ kind, phone, params }) => {
    const call = checkCall({ kind, phone, params }, receiverRule(spec));
    const sent = call.ok ? outgoing(call.value, shape, spec.options) : null;
    if (sent?.call.kind !== 'text' || sent.reason === null) return [];
    const why = sent.reason === 'kind' ? 'does not have' : 'takes less of';
    return [`${gatewayName(spec)} ${why} this kind: it goes out as a text: ${sent.call.params.message}`];
  });
  return [...new Set(texts)];
}
