import { MAX_MATCHED } from '../lib/fast-pattern.ts';
import { ownValue, scalarText } from '../lib/json.ts';
import { classifyAnswer, parseObject, type GatewayAnswer, type Verdict, parseRetryAfter } from './outcome.ts';
import type { AnswerRule, AnswerShape, FieldTest } from './shape.ts';

type Body = Readonly<Record<string, unknown>>;

/** Returns the outcome of a response, by the rules of the gateway's shape. `now` in ms since the epoch. */
export function classifyHttp(answer: GatewayAnswer, shape: AnswerShape, now: number): Verdict {
  const body = answer.complete ? parseObject(answer.text) : null;
  const reason = reasonIn(body, shape.reason ?? []);
  const rule = shape.rules?.find((one) => applies(one, { status: answer.status, body, reason }));
  const verdict =
    rule === undefined
      ? classifyAnswer(answer, now, (success) => classifySuccess(success, { shape, body, reason }))
      : byRule(rule, answer.status, reason);
  const wait = waitIn(answer.headers, body, shape, now);
  const isSuccess = answer.status >= 200 && answer.status < 300;
  return {
    ...verdict,
    ...(rule === undefined && !isSuccess && reason !== '' && { detail: `${verdict.detail}: ${reason}` }),
    ...(verdict.outcome === 'busy' && wait !== null && { retry_after_ms: wait }),
  };
}

function byRule({ means, say }: AnswerRule, status: number, reason: string): Verdict {
  const why = [say, reason].filter(Boolean).join(': ') || 'it gives no reason';
  return {
    outcome: means,
    detail: `the gateway answered ${status}: ${why}`,
    ...(means === 'refused' && { message: reason }),
  };
}

function classifySuccess(
  { status, text, complete }: GatewayAnswer,
  { shape, body, reason }: { shape: AnswerShape; body: Body | null; reason: string },
): Verdict {
  const unclear = (what: string): Verdict => ({
    outcome: 'uncertain',
    detail: `the gateway answered ${status}, but ${what}`,
  });
  if (!complete) return unclear('the answer was cut off or is too long');
  const sent: Verdict = { outcome: 'sent', detail: 'the gateway sent it' };
  if ('matches' in shape.sent)
    return new RegExp(shape.sent.matches, 'u').test(text.slice(0, MAX_MATCHED))
      ? sent
      : unclear('the answer does not match `sent.matches`');
  if (text.trim() === '') return unclear('the answer is empty');
  if (body === null) return unclear('the answer is not a JSON object');
  const { refused } = shape;
  if (refused !== undefined && holds(refused, body))
    return {
      outcome: 'refused',
      detail: `the gateway refused (\`${refused.field}\` says so): ${reason || 'it gives no reason'}`,
      message: reason,
    };
  return holds(shape.sent, body) ? sent : unclear(`\`${shape.sent.field}\` does not say that it is sent`);
}

interface Seen {
  readonly status: number;
  readonly body: Body | null;
  readonly reason: string;
}

const applies = ({ status, field, is, matches }: AnswerRule, seen: Seen): boolean =>
  (status === undefined || status.includes(seen.status)) &&
  (field === undefined || (seen.body !== null && holds({ field, ...(is && { is }) }, seen.body))) &&
  (matches === undefined || new RegExp(matches, 'u').test(seen.reason.slice(0, MAX_MATCHED)));

function holds({ field, is }: FieldTest, body: Body): boolean {
  const value = ownValue(body, field);
  if (is === undefined) return value !== undefined && value !== null && value !== '' && value !== false;
  return is.some((one) => one === value);
}

function reasonIn(body: Body | null, fields: readonly string[]): string {
  const found = fields.map((field) => scalarText(ownValue(body, field)) ?? '');
  return found.find((text) => text !== '') ?? '';
}

function waitIn(
  headers: Headers,
  body: Body | null,
  { retry_after }: AnswerShape,
  now: number,
): number | null {
  const field = retry_after === undefined ? null : scalarText(ownValue(body, retry_after));
  return parseRetryAfter(headers.get('retry-after') ?? field, now);
}
