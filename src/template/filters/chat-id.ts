import { ownValue } from '../../lib/json.ts';
import { gatewayDigits } from '../../lib/numbers.ts';

/** An id with the mark of its chat, as Twilio (`whatsapp:+52…`) and gateways on an own server (`52…@c.us`) post it. */
const MARKED = /^(?:whatsapp:\+?([1-9]\d{6,14})|([1-9]\d{6,14})(?::\d+)?@(?:c\.us|s\.whatsapp\.net))$/;

/**
 * Returns the digits of a chat's id; null if the value is not one. An id is an address, which may differ from any phone
 * number: a Mexican one can begin with 521. `places`: the paths of ids without a mark, in the payload of a source that
 * proves its sender; undefined for other sources, in which a stranger may have written the value.
 */
export function chatId(
  value: unknown,
  payload: unknown,
  places: readonly string[] | undefined,
): string | null {
  if (places === undefined || typeof value !== 'string') return null;
  const text = value.trim();
  const marked = MARKED.exec(text);
  if (marked !== null) return marked[1] ?? marked[2] ?? null;
  return gatewayDigits.test(text) && idsIn(payload, places).has(text) ? text : null;
}

/** The ids of a payload: a batch has many, and each of its messages asks for one. */
const known = new WeakMap<object, ReadonlySet<unknown>>();

function idsIn(payload: unknown, places: readonly string[]): ReadonlySet<unknown> {
  if (typeof payload !== 'object' || payload === null) return new Set();
  const ids = known.get(payload) ?? new Set(places.flatMap((place) => valuesAt(payload, place)));
  known.set(payload, ids);
  return ids;
}

/** The values at a path, in which `*` stands for each element of a list. */
const valuesAt = (payload: unknown, path: string): readonly unknown[] =>
  path
    .split('.*.')
    .reduce<readonly unknown[]>((values, step) => values.flat().map((one) => ownValue(one, step)), [payload]);
