import { DEFAULT_ACCOUNT } from '../../src/config/compiled/account-policy.ts';
import type { IncidentsDeps } from '../../src/outbox/incidents/context.ts';
import { newEventId, secureRandomBytes } from '../../src/lib/id.ts';
import type { AcceptedEvent, DraftItem, DraftMessage } from '../../src/outbox/state/acceptance.ts';
import type { MessageRow } from '../../src/outbox/state/message.ts';

/** The row of a fresh message. */
export const messageSample = (over: Partial<MessageRow> & { seq: number }): MessageRow => ({
  event_id: null,
  source: 'shop',
  route: 'all',
  kind: 'text',
  phone: '4915112345678',
  params: '{"message":"hello"}',
  state: 'queued',
  reason: null,
  priority: 0,
  standing: over.priority ?? 0,
  on_uncertain: 'retry',
  next_at: null,
  expires_at: null,
  tries: 0,
  refusals: 0,
  attempts: '[]',
  created_at: 1_000,
  sent_at: null,
  config_version: 1,
  actions: '[]',
  forget: 0,
  about: null,
  says: null,
  fallback: null,
  links: null,
  escaped: null,
  ...over,
});

/** An event as an outbox gets it, received at `receivedAt`. */
export const eventSample = (receivedAt: number, over: Partial<AcceptedEvent> = {}): AcceptedEvent => ({
  id: newEventId(receivedAt, secureRandomBytes),
  source: 'shop',
  type: null,
  itemWindowMs: 60_000,
  state: 'routed',
  reasons: [],
  receivedAt,
  dedupe: null,
  signed: null,
  payload: '{"n":1}',
  headers: '{}',
  query: '{}',
  configVersion: 1,
  activation: 0,
  stored: true,
  replay: null,
  ...over,
});

/** A message of an event. */
export const draftSample = (over: Partial<DraftMessage> = {}): DraftMessage => ({
  route: 'all',
  kind: 'text',
  phone: '4915112345601',
  params: { message: 'hello' },
  delayMs: 0,
  expiresMs: null,
  onUncertain: 'retry',
  priority: 'normal',
  forget: false,
  ...over,
});

/** An item of an event that belongs to no incident. */
export const itemSample = (phones: readonly string[], value: string): DraftItem => ({
  route: 'r',
  index: 1,
  place: 1,
  phones,
  key: null,
  isResolved: false,
  flapping: null,
  group: null,
  inhibitedBy: [],
  value,
});

/** What incidents use of an outbox that sends nothing, and holds nothing back. */
export const NOBODY: Omit<IncidentsDeps, 'clock' | 'sql'> = {
  config: {
    known: null,
    inForce: () => null,
    policyIn: () => ({ ...DEFAULT_ACCOUNT, rate: null, perRecipient: null }),
  },
  claims: { flight: { has: () => false }, pace: { nextSendToAt: (_, __, now) => now } },
  messages: {
    queue: () => null,
    rewrite: (row) => row,
    hurry: () => undefined,
    postpone: () => undefined,
    end: () => undefined,
  },
  owner: { first: () => undefined },
  alarm: { bringForward: () => undefined },
  account: () => 'default',
  tag: '7777777',
};
