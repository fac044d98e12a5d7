import type { Offer } from '../../registry/pairing.ts';
import { registry } from '../../config/registry-client.ts';
import { sourceSecret } from '../../config/secrets/names.ts';
import { log } from '../../lib/log.ts';
import type { Problem } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Proof } from '../../provider/handshake.ts';
import { headerText } from '../../provider/handshake-answer.ts';
import { lookupPlace, type LookupFacts } from '../../provider/lookup.ts';
import { MAX_CREDENTIAL, matchToken } from '../../signature/basics/match.ts';
import type { Arrival } from '../request/event.ts';
import { describeSender, senderOf } from '../request/sender.ts';
import { UNAUTHORIZED, UNCONFIGURED, type Rejected } from '../request/verify.ts';

/** Checks that a handshake has the required proof before it is answered. `signature` was checked before. */
export async function prove(
  proof: Proof,
  raw: Arrival,
  facts: LookupFacts,
  env: Env,
): Promise<Result<void, Rejected>> {
  switch (proof.by) {
    case 'signature':
    case 'nothing':
      return ok(undefined);
    case 'secret':
      return showsSecret(proof, raw, facts, env);
    case 'pairing':
      return mayPair(proof, raw, facts, env);
  }
}

type ProofBy<By extends Proof['by']> = Extract<Proof, { by: By }>;

async function showsSecret(
  { at }: ProofBy<'secret'>,
  { source }: Arrival,
  facts: LookupFacts,
  env: Env,
): Promise<Result<void, Rejected>> {
  const name = source.handshakeSecret;
  const expected = name === null ? undefined : sourceSecret(env, name);
  if (expected === undefined) {
    const detail = name === null ? 'the source names no `handshake: { secret: NAME }`' : `not set: ${name}`;
    return err({ problem: NO_SECRET, code: 'secret_missing', detail });
  }
  const given = lookupPlace(at, facts) ?? '';
  if (given === '')
    return err({ problem: REFUSED, code: 'missing_field', detail: `the handshake has no text at ${at}` });
  if (given.length > MAX_CREDENTIAL)
    return err({ problem: REFUSED, code: 'malformed', detail: `the handshake's ${at} is too long` });
  const matched = await matchToken(given, [expected], `the handshake's ${at}`);
  return matched.ok ? ok(undefined) : err({ problem: REFUSED, ...matched.error });
}

/** Each call goes to the one registry, and anybody can cause such calls: a flood must not lock admins out. */
const PAIRINGS_PER_SECOND = 5;
const mayAskRegistry = perSecond(PAIRINGS_PER_SECOND);

async function mayPair(
  { key: place }: ProofBy<'pairing'>,
  raw: Arrival,
  facts: LookupFacts,
  env: Env,
): Promise<Result<void, Rejected>> {
  const { source, secrets, receivedAt } = raw;
  const key = headerText(place, facts);
  if (!key.ok) return err({ problem: malformedHandshake(key.error.detail), ...key.error });
  const known = secrets.map(({ value }) => value);
  if ((await matchToken(key.value, known, 'the key')).ok) return ok(undefined);
  if (!mayAskRegistry(receivedAt)) {
    const detail = `more than ${PAIRINGS_PER_SECOND} keys that are not secrets of the source arrived within a second`;
    return err({ problem: BUSY, code: 'pairing_busy', detail });
  }
  const offer = senderOf(raw, known);
  switch (await registry(env).capturePairing(source.id, key.value, offer)) {
    case 'kept':
      log('info', 'pairing.captured', { source: source.id });
      return ok(undefined);
    case 'known':
      return ok(undefined);
    case 'closed':
      return err({ problem: UNAUTHORIZED, code: 'pairing_closed', detail: closedAdvice(source.id) });
    case 'conflict':
      log('warn', 'pairing.void', { source: source.id });
      return err({
        problem: UNAUTHORIZED,
        code: 'pairing_conflict',
        detail: conflictAdvice(source.id, offer),
      });
  }
}

const closedAdvice = (id: string): string =>
  `a key that is not a secret of the source was handed over without an open pairing window. If you are setting the webhook up: \`npx hookbell pair ${id}\` opens one; then create the webhook again`;

const conflictAdvice = (id: string, offer: Offer): string =>
  `two different keys were handed over in one pairing window, so both are void; this one by ${describeSender(offer)}. Set neither. GET /admin/api/v1/sources/${id}/pair shows who offered them`;

/** The problem of a handshake. */
export const malformedHandshake = (detail: string): Problem => ({
  status: 400,
  type: 'malformed-handshake',
  title: 'Malformed handshake',
  detail: `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`,
});

const NO_SECRET: Problem = {
  ...UNCONFIGURED,
  detail:
    'This source cannot confirm its address yet: its document must name a Worker secret that is set, `handshake: { secret: NAME }`.',
};

const REFUSED: Problem = {
  status: 403,
  type: 'handshake-refused',
  title: 'Handshake refused',
  detail: 'This request does not contain the secret that this source expects.',
};

const BUSY: Problem = {
  status: 503,
  type: 'pairing-busy',
  title: 'Busy',
  detail: 'Too many keys are being handed over at the moment. Try again.',
  headers: { 'retry-after': '5' },
};

/** Returns a limiter that returns true `limit` times a second, in this isolate; `now` in ms. */
export function perSecond(limit: number): (now: number) => boolean {
  let windowStart = 0;
  let seen = 0;
  return (now) => {
    // This also resets the window if the clock was set back: otherwise nothing would pass until the clock has caught
    // up.
    if (now - windowStart >= 1_000 || now < windowStart) [windowStart, seen] = [now, 0];
    seen += 1;
    return seen <= limit;
  };
}
