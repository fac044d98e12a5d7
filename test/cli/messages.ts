import type { Message } from '../../cli/relay/shapes.ts';

type Attempt = Message['attempts'][number];

/** A message as the relay answers it. */
export const messageOf = (over: Partial<Message> = {}): Message => ({
  id: 'msg_000000009hk7nd0g',
  event: null,
  source: null,
  route: null,
  account: 'default',
  kind: 'text',
  phone: '4915112345678',
  params: { phone: '4915112345678', message: 'hello' },
  state: 'queued',
  attempts: [],
  created_at: new Date().toISOString(),
  config_version: 1,
  ...over,
});

export const attempt = (over: Partial<Attempt> = {}): Attempt => ({
  n: 1,
  at: new Date().toISOString(),
  duration_ms: 5,
  outcome: 'server_error',
  ...over,
});
