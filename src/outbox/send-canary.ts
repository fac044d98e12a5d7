import type { LoadedConfig } from '../config/config.ts';
import type { OutboxParts } from './parts.ts';

/** Sends the canary if it is due, and reports the last one if nobody has pressed its link in time. */
export function sendCanary(parts: OutboxParts, loaded: LoadedConfig): void {
  const { canary, clock, config, loop, messages, owner } = parts;
  const policy = config.policyIn(loaded).canary;
  const now = clock();
  if ((canary.nextAt(policy) ?? Infinity) > now) return;
  const origin = { event: null, source: null, since: now, configVersion: loaded.version };
  loop.late(() =>
    canary.look(policy, now, {
      queue: (draft) => messages.queue({ drafts: [draft], origin }),
      unanswered: (seq, sentAt) => owner.unanswered(seq, sentAt),
    }),
  );
}
