import type { LoadedConfig } from '../config/compiled/config.ts';
import { registry } from '../config/registry-client.ts';
import { inTime } from '../lib/timeout.ts';
import type { Base } from './base.ts';

/** The time after a publish at which an outbox checks whether its account was removed and holds nothing, in ms. */
const LOOK_MS = 150_000;

/** The time for which an alarm waits for the registry: meanwhile nothing that comes in is sent (ms). */
const ASK_MS = 5_000;

/** The account may have been removed: an outbox that holds nothing has no other alarm that would say so. */
export function lookForRemoval({ alarm, config }: Base, loaded: LoadedConfig): void {
  if (config.policyIn(loaded).isRemoved) alarm.bringForward(Date.now() + LOOK_MS);
}

/**
 * The outbox of a removed account sends what still waits. Once it stores nothing more, this has the registry forget the
 * account; until then, lists read this outbox.
 */
export async function reportRemoval(
  { account, alarm, calls, config, env, sql }: Base,
  loaded: LoadedConfig,
): Promise<void> {
  if (!config.policyIn(loaded).isRemoved || !isEmpty(sql)) return;
  calls.spend();
  const isForgotten = await inTime(
    ASK_MS,
    registry(env).forgetAccount(account()),
    'the registry did not answer in time',
  );
  if (!isForgotten) alarm.bringForward(Date.now() + LOOK_MS);
}

const isEmpty = (sql: SqlStorage): boolean =>
  [
    'events',
    'messages',
    'incidents',
    'beyond',
    'notices',
    'handings',
    // If a fallback came again after the account is forgotten, it would be refused.
    "dedupe_claims WHERE key NOT LIKE '@%'",
  ].every((from) => sql.exec(`SELECT 1 FROM ${from} LIMIT 1`).toArray().length === 0);
