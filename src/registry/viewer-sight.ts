import { maskNumber, maskNumbers } from '../lib/mask-numbers.ts';
import { incidentOf } from '../outbox/incidents/incident-id.ts';

/**
 * What a viewer sees of a value. `facts`: numbers are masked, and what is not known to be our own word is hidden.
 * `words`: only numbers are masked, for texts of this deployment's own people. `contents`: the same, and what came in
 * and went out is shown as it is, except for receivers.
 */
export const SIGHTS = ['facts', 'words', 'contents'] as const;
export type Sight = (typeof SIGHTS)[number];

/** In place of a text that is hidden. What is no text, such as a payload, is null. */
export const HIDDEN = 'hidden';
const HIDDEN_ID = `inc_${HIDDEN}`;

/** Keys of answers with words of ours, ids, names and times; what is under any other key is hidden from `facts`. */
const KNOWN = new Set(
  // `type` of an event is the sender's, and is what people know events by.
  'items messages attempts actions receivers waits notifications about incidents paused circuit last_error rate receivers_at_cap storage inexact id event message incident silence inhibited_by replay_of fallback fallback_of source route account kind state type event_type outcome form action for by replayed_by at since until created_at sent_at next_attempt_at received_at started_at resolved_at acknowledged_at ended_at heard_at notified_at probe_at next_at last_at bytes max_bytes drain_seconds'.split(
    ' ',
  ),
);

/** What came in. */
const CONTENT = new Set(['payload', 'headers', 'query']);
/** The same, what goes out, and keys that are made of it. */
const AS_IT_IS = new Set([...CONTENT, 'params', 'key', 'dedupe_key']);

/** What holds an incident's key and is sealed, so that a viewer can ask for it. */
export const SEALED_KINDS = ['incident', 'cursor'] as const;
export type SealedKind = (typeof SEALED_KINDS)[number];

/** Keys of answers with ids of ours. Others may hold a sender's text: sealed, it could be compared with a guess. */
const IDS = new Set(['id', 'incident', 'incidents', 'inhibited_by']);

/** A number with at least this many digits may be a phone number. */
const LONG_NUMBER = 100_000_000;

type How = Sight | 'nothing' | 'all';

/** What holds a field: how it is seen, the key that it is under itself (`''`: the answer), and whether it quotes others. */
interface Parent {
  readonly how: How;
  readonly at: string;
  readonly isQuote: boolean;
}

/**
 * A JSON value of an answer or a frame as a viewer sees it. It has the same shape. `seal`: another text for an id or a
 * cursor that holds an incident's key.
 */
export function seen(
  value: unknown,
  sight: Sight,
  seal: (text: string, kind: SealedKind) => string,
): unknown {
  const text = (given: string, how: How, key: string): string => {
    if (how === 'nothing') return HIDDEN;
    if (incidentOf(given) !== null)
      return how !== 'all' && IDS.has(key) ? seal(given, 'incident') : HIDDEN_ID;
    return how === 'all'
      ? given
      : maskNumbers(given.replaceAll(/\binc_[\w-]+/g, (id) => (incidentOf(id) === null ? id : HIDDEN_ID)));
  };
  const field = (given: unknown, key: string, { how, at, isQuote }: Parent): unknown => {
    if (key === 'phone' && typeof given === 'string') return maskNumber(given);
    if (key === 'next_cursor' && at === '' && typeof given === 'string')
      return how === 'words' ? given : seal(given, 'cursor');
    if (how === 'facts' && CONTENT.has(key)) return null;
    if (isQuote && key === 'detail') return HIDDEN;
    return show(given, inside(key, how), key);
  };
  const show = (given: unknown, how: How, at = ''): unknown => {
    if (typeof given === 'string') return text(given, how, at);
    if (typeof given === 'number' && how === 'nothing' && given >= LONG_NUMBER) return null;
    if (typeof given !== 'object' || given === null) return given;
    if (Array.isArray(given)) return given.map((one) => show(one, how, at));
    const fields = Object.entries(given);
    // A finding about a gateway quotes it.
    const isQuote = how === 'words' && /^(gateway|account):/.test(String(Reflect.get(given, 'id')));
    return Object.fromEntries(
      fields.map(([key, one]) => [
        how === 'all' ? key : maskNumbers(key),
        field(one, key, { how, at, isQuote }),
      ]),
    );
  };
  return show(value, sight);
}

const inside = (key: string, how: How): How => {
  if (how === 'facts') return KNOWN.has(key) ? how : 'nothing';
  return how === 'contents' && AS_IT_IS.has(key) ? 'all' : how;
};
