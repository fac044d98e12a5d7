import { truncateTo } from '../lib/text.ts';
import { paramsOf, type SendCall } from './kinds.ts';
import type { CallShape, HttpShape } from './shape.ts';

/**
 * The call for a gateway of this shape; null if there is none: a status has no receiver, so it has no stand-in. `reason`:
 * why it is a text in place of the kind, which the gateway does not have, or has lower limits for; null if it is not.
 */
export function outgoing(call: SendCall, shape: HttpShape, options: Readonly<Record<string, string>>) {
  const own = shape.kinds[call.kind];
  const reason = own === undefined || !isOffered(own, options) ? 'kind' : isOver(call, own) ? 'limits' : null;
  if (own !== undefined && (reason === null || call.kind === 'text' || call.kind === 'status'))
    return { call: shortened(call, shape), shape: own, reason: null };
  if (call.phone === null) return null;
  const { head, tail } = parts(call);
  const end = head === '' || tail === '' ? tail : `\n${tail}`;
  const params = { message: fitted(head, shape, end) + end };
  return { call: { kind: 'text' as const, phone: call.phone, params }, shape: shape.kinds.text, reason };
}

const isOffered = ({ only = {} }: CallShape, options: Readonly<Record<string, string>>): boolean =>
  Object.entries(only).every(([name, value]) => options[name] === value);

export const optionsOf = (joined: string): readonly string[] => joined.split(',');

function isOver({ params }: SendCall, { limits = {} }: CallShape): boolean {
  const given: Readonly<Record<string, string | undefined>> = params;
  return Object.entries(limits).some(([name, most]) => {
    if (name === 'options') return optionsOf(given['options'] ?? '').length > most;
    if (name === 'option') return optionsOf(given['options'] ?? '').some(({ length }) => length > most);
    return (given[name] ?? '').length > most;
  });
}

/** The two parts of a message that is sent as a text: `head` may be cut, and `tail`, the link, may not. */
function parts({ kind, params }: SendCall): { head: string; tail: string } {
  const given: Readonly<Record<string, string | undefined>> = params;
  const head: string[] = [];
  const tail: string[] = [];
  for (const [name, { holds }] of paramsOf(kind)) {
    const value = given[name] ?? '';
    if (value === '') continue;
    if (holds === 'list') head.push(...optionsOf(value).map((option, at) => `${at + 1}. ${option}`));
    else (holds === 'url' ? tail : head).push(value);
  }
  return { head: head.join('\n'), tail: tail.join('\n') };
}

/** Cuts a text to the gateway's limits. `rest`: other text in the same message. */
function fitted(text: string, { max_length, max_bytes }: HttpShape, rest = ''): string {
  const short = max_length === undefined ? text : truncateTo(text, Math.max(1, max_length - rest.length));
  if (max_bytes === undefined) return short;
  const most = Math.max(3, max_bytes - bytesOf(rest));
  let cut = short;
  // Each round cuts in proportion to the excess, by at least one unit.
  while (bytesOf(cut) > most)
    cut = truncateTo(cut, Math.min(cut.length - 1, Math.floor((cut.length * most) / bytesOf(cut))));
  return cut;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

function shortened(call: SendCall, shape: HttpShape): SendCall {
  if (call.kind === 'text') return { ...call, params: { message: fitted(call.params.message, shape) } };
  return call.kind === 'status' ? { ...call, params: { text: fitted(call.params.text, shape) } } : call;
}
