import type { FieldError } from '../lib/problem.ts';
import type { Config } from './config.ts';

/**
 * An account's objects may only become more: messages may be waiting in those that would be given up, and neither
 * the lists nor the account's pace would know of them any more.
 */
export function shardErrors(inForce: Config, next: Config): readonly FieldError[] {
  return [...inForce.accounts].flatMap(([name, { shards }]) => {
    const wanted = next.accounts.get(name)?.shards ?? 1;
    if (wanted >= shards) return [];
    const message = `cannot go from ${shards} to ${wanted}: messages may be waiting in the others; shards can only be raised`;
    return [{ path: `accounts.${name}.shards`, message }];
  });
}
