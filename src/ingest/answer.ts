import type { Source } from '../config/compiled/config.ts';
import { problemResponse, type Problem } from '../lib/problem.ts';
import { holds } from '../provider/handshake.ts';
import type { LookupFacts } from '../provider/lookup.ts';
import type { Provider } from '../provider/provider.ts';

/** Returns the response to the sender of a stored event. */
interface ReceiptBody {
  readonly event: string;
  readonly duplicate: boolean;
  readonly messages: readonly string[];
  /** The number of items that wait for a notification, counted per receiver; absent: none. */
  readonly waiting?: number;
  /** The reason why it is a duplicate, if its id does not show that. */
  readonly reason?: string;
}

/** Statuses without a body (RFC 9110 §15.3.5): `Response` throws when it gets one. */
const BODILESS: ReadonlySet<number> = new Set([204, 205]);

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
/** In the platform's own form: converting an object takes as long as the rest of an answer. */
const JSON_HEADERS = new Headers({ ...HEADERS, 'content-type': 'application/json' });

/** The answer to a request that is not accepted as coming from its sender. */
export function answerRefusal({ bare_refusals: isBare }: Provider, problem: Problem): Response {
  if (isBare !== true) return problemResponse(problem);
  const { status, headers } = problem;
  return new Response(null, { status, headers: { ...HEADERS, ...headers } });
}

/**
 * The answer to an accepted event in the form that its provider expects: some keep sending until they get exactly that.
 */
export function answerEvent(
  { provider }: Pick<Source, 'provider'>,
  facts: LookupFacts,
  receipt: ReceiptBody,
): Response {
  const answer = provider.answers?.find(({ when = [] }) =>
    when.every((condition) => holds(condition, facts)),
  );
  const status = answer?.status ?? 202;
  if (BODILESS.has(status)) return new Response(null, { status, headers: HEADERS });
  if (answer?.body === undefined)
    return new Response(JSON.stringify(receipt), { status, headers: JSON_HEADERS });
  const type = answer.content_type ?? 'text/plain; charset=utf-8';
  return new Response(answer.body, { status, headers: { ...HEADERS, 'content-type': type } });
}
