import * as z from 'zod/mini';
import type { Client, QueryParameters } from '../client.ts';
import { waits } from '../../src/outbox/answers/api-message.ts';
import { reading } from './reading.ts';

const common = { at: z.string() };

/** One frame of the tail. */
const frameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), ...common, version: z.number() }),
  z.object({ type: z.literal('dropped'), count: z.number() }),
  z.object({
    type: z.literal('event'),
    ...common,
    event: z.string(),
    source: z.string(),
    event_type: z.nullable(z.string()),
    subject: z.optional(z.string()),
    state: z.string(),
    duplicate: z.boolean(),
    reason: z.optional(z.string()),
    waiting: z.optional(z.number()),
  }),
  z.object({
    type: z.literal('message'),
    ...common,
    message: z.string(),
    event: z.nullable(z.string()),
    source: z.nullable(z.string()),
    route: z.nullable(z.string()),
    kind: z.string(),
    state: z.string(),
    outcome: z.optional(z.string()),
    http_status: z.optional(z.number()),
    duration_ms: z.optional(z.number()),
    n: z.optional(z.number()),
    reason: z.optional(z.string()),
    next_attempt_at: z.optional(z.string()),
    // The lists know it, and the stream does not.
    waits: z.optional(reading(waits)),
    about: z.optional(
      z.object({ form: z.string(), new: z.number(), resolved: z.number(), firing: z.number() }),
    ),
  }),
  z.object({
    type: z.literal('rejection'),
    ...common,
    source: z.string(),
    status: z.number(),
    reason: z.string(),
    // A relay of an earlier version has neither.
    n: z.optional(z.number()),
    detail: z.optional(z.string()),
  }),
]);

export type ReadFrame = z.output<typeof frameSchema>;

/** The reason for which a tail ended. `isFinal`: connecting again would not help. */
interface TailEnd {
  readonly isFinal: boolean;
  readonly why: string;
}

/** The interval of `ping`s: the relay disconnects a client that is silent for long. */
const PING_MS = 5_000;

/** A connection is broken after this many pings without an answer: the machine slept, or the network is gone. */
const MISSED_PINGS = 3;

/** RFC 6455 §7.4.1: policy violation. The relay closes with this code when a login has ended. */
const POLICY = 1008;

/**
 * Watches until the connection ends. `onFrame` gets each frame as JSON, and as a {@link ReadFrame} if this version knows
 * it.
 */
export function watch(
  { profile }: Client,
  query: QueryParameters,
  onFrame: (json: unknown, frame: ReadFrame | null) => void,
  { pingMs = PING_MS, clock = Date.now } = {},
): Promise<TailEnd> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const url = new URL(`${profile.url}/admin/api/v1/tail?${new URLSearchParams(given).toString()}`);
  url.protocol = url.protocol.replace('http', 'ws');
  const { promise, resolve } = Promise.withResolvers<TailEnd>();
  const socket = openSocket(url, profile.token);
  let heardAt = clock();
  const end = (one: TailEnd): void => {
    clearInterval(timer);
    resolve(one);
  };
  const timer = setInterval(() => {
    // The clock goes on while the machine sleeps, and timers do not.
    if (clock() - heardAt < MISSED_PINGS * pingMs) {
      if (socket.readyState === WebSocket.OPEN) socket.send('ping');
      return;
    }
    end({ isFinal: false, why: 'the relay was silent' });
    socket.close();
  }, pingMs);
  socket.addEventListener('message', ({ data }) => {
    heardAt = clock();
    if (typeof data !== 'string' || data === 'pong') return;
    const json: unknown = JSON.parse(data);
    const frame = frameSchema.safeParse(json);
    onFrame(json, frame.success ? frame.data : null);
  });
  socket.addEventListener('error', () => end({ isFinal: false, why: 'the connection broke' }));
  socket.addEventListener('close', ({ code, reason }) =>
    end({ isFinal: code === POLICY, why: reason === '' ? 'the connection ended' : reason }),
  );
  return promise;
}

/** Node's `WebSocket` accepts headers in its second argument; the standard, and so its type, has none. */
function openSocket(url: URL, token: string): WebSocket {
  const socket: unknown = Reflect.construct(WebSocket, [
    url,
    { headers: { authorization: `Bearer ${token}` } },
  ]);
  if (socket instanceof WebSocket) return socket;
  throw new TypeError('no WebSocket was made');
}
