import type { OutboxParts } from './parts.ts';
import type { Pause } from './state/meta.ts';

/** Holds back all messages of an account until {@link resumeAccount}. `by`: who asked. */
export function pauseAccount(parts: OutboxParts, by: string, reason: string): void {
  change(parts, { at: parts.clock(), by, reason });
}

/** Ends any pause, and lets an open circuit probe at once. */
export function resumeAccount(parts: OutboxParts): void {
  const { claims, clock, loop, meta } = parts;
  loop.now(() => {
    if (meta.circuit.probeAt !== null) meta.circuit = { ...meta.circuit, probeAt: clock() };
    change(parts, null);
    claims.queue.changed(clock());
  });
}

function change({ meta, owner }: OutboxParts, pause: Pause | null): void {
  const before = { pause: meta.pause, circuit: meta.circuit };
  meta.pause = pause;
  // After a pause, 403s are counted from the first again.
  meta.forbidden = null;
  owner.paused(before);
}
