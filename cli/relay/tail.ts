import * as z from 'zod';
import type { Client, QueryParameters } from '../client.ts';
import { frame } from '../../src/outbox/answers/api-frame.ts';
import { waits } from '../../src/outbox/answers/api-message.ts';
import { reading } from './reading.ts';

const [hello, event, message, rejection, dropped] = frame.options;

/** One frame of the tail, or an entry of the lists as one: they say why a message waits, and the stream does not. */
const frameSchema = reading(
  z.discriminatedUnion('type', [
    hello,
    event.omit({ account: true }),
    message.omit({ account: true }).extend({ waits: waits.optional() }),
    rejection,
    dropped,
  ]),
);

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
    const read = frameSchema.safeParse(json);
    onFrame(json, read.success ? read.data : null);
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
