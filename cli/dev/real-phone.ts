import type { Call } from '../../simulator/call-log.ts';
import { httpRequest } from '../../src/gateway/http.ts';
import { checkCall } from '../../src/gateway/kinds.ts';
import { MAKER_BY_ID } from '../../src/gateway/makers/makers.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';

const { ntfy } = MAKER_BY_ID;

/** A real phone that also gets the messages of the simulated one. */
export interface RealPhone {
  readonly topic: string;
  readonly baseUrl: string;
  /** Sends what a call shows. Says what is wrong, and never throws. */
  readonly show: (call: Call) => Promise<string | null>;
}

/** The phone of `--phone ntfy:my-topic`, or `ntfy:https://ntfy.example/my-topic` for a server of one's own. */
export function realPhone(given: string, fetchIt: typeof fetch): Result<RealPhone, string> {
  const [, address = ''] = /^ntfy:(.+)$/.exec(given) ?? [];
  const url = URL.parse(address.includes('://') ? address : `${ntfy.baseUrl}/${address}`);
  const [, path = '', topic = ''] = /^(.*)\/([^/]*)$/.exec(url?.pathname ?? '') ?? [];
  if (url === null || !/^https?:$/.test(url.protocol) || !/^[-_A-Za-z0-9]{1,64}$/.test(topic))
    return err('--phone must be ntfy:my-topic, or ntfy:https://ntfy.example/my-topic');
  const baseUrl = url.origin + path;
  const account = { shape: ntfy.shape, baseUrl, options: {}, secrets: {} };
  const show = async ({ kind, to, params: all, delivered }: Call): Promise<string | null> => {
    if (kind === null || kind === 'status' || to === null || !delivered) return null;
    const { phone: _, ...params } = all;
    const call = checkCall({ kind, phone: topic, params }, { pattern: /^/, what: 'a topic' });
    const request = call.ok ? httpRequest(call.value, account, '') : null;
    if (request?.ok !== true) return 'it cannot be sent there';
    const answer = await fetchIt(request.value.url, request.value.init).catch(() => null);
    if (answer === null) return `${baseUrl} cannot be reached`;
    return answer.ok ? null : `${baseUrl} answers ${answer.status}`;
  };
  return ok({ topic, baseUrl, show });
}
