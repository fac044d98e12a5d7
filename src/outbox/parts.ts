import { sleep, sharedTimeouts } from '../lib/wait.ts';
import { createBase } from './base.ts';
import { Housekeeping } from './housekeeping.ts';
import { Loop, type LoopParts } from './loop.ts';
import { Messages } from './message.ts';
import { OtherAccounts } from './other-accounts.ts';
import { Overflow } from './overflow.ts';
import type { ReadContext } from './read/read.ts';
import { callGateway } from './send/call-gateway.ts';
import { Timing } from './send/timing.ts';

export type OutboxParts = ReturnType<typeof createParts>;

/** The tables must exist: parts read where the last instance stopped. `over`: a test's own gateway and time. */
export function createParts(
  ctx: Parameters<typeof createBase>[0],
  env: Env,
  over: Partial<Pick<LoopParts, 'call' | 'clock' | 'random' | 'sleep'>> = {},
) {
  const base = createBase(ctx, env, over.clock, over.random);
  const { account, claims, clock, sql, tag } = base;
  const messages = new Messages(base);
  const { incidents } = messages;
  const withTimeout = sharedTimeouts();
  const parts: LoopParts = {
    ...base,
    housekeeping: new Housekeeping(base),
    incidents,
    messages,
    others: new OtherAccounts({ ...base, messages, incidents }),
    overflow: new Overflow({ ...base, messages }),
    timing: new Timing(base),
    call: (message, policy) =>
      callGateway(env, { account: account(), tag }, message, policy, { withTimeout, now: clock }),
    // Resolves also when its signal aborts.
    sleep,
    ...over,
  };
  const read = (): ReadContext => ({ sql, tag, account: account(), claims, open: incidents.open });
  return { ...parts, loop: new Loop(parts), read };
}
