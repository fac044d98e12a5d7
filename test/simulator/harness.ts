import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import type { Call } from '../../simulator/call-log.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import type { Simulator, SimulatorOptions } from '../../simulator/simulator.ts';

export const NOW = Date.now();
export const LOGIN = { email: 'shop@example.com', api_key: 'key-1f2e3d' };
export const PHONE = '4915112345678';
export const TEXT = { ...LOGIN, phone: PHONE, message: 'Hello' };

/** A timer that the code under test asked for. */
interface Timer {
  readonly ms: number;
  fire(): void;
}

/** A simulator on a real port with a fixed clock and timers that fire by hand; closed when the test ends. */
export interface Bench {
  readonly simulator: Simulator;
  readonly timers: Timer[];
  /** Posts `fields` as a form to a path below `/api`. */
  call(path: string, fields: Record<string, string>): Promise<Response>;
  /** Calls a path below `/_control`, with `body` as JSON. */
  control(method: string, path: string, body?: unknown): Promise<Response>;
  script(...steps: unknown[]): Promise<void>;
  calls(query?: string): Promise<{ items: Call[]; total: number; accepted: number; delivered: number }>;
}

export async function startBench(options: Partial<SimulatorOptions> = {}): Promise<Bench> {
  const timers: Timer[] = [];
  const after = (ms: number, fire: () => void): (() => void) => {
    timers.push({ ms, fire });
    return () => undefined;
  };
  const simulator = await startSimulator({ port: 0, now: () => NOW, after, ...options });
  onTestFinished(() => simulator.close());
  const control = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${simulator.url}/_control${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  return {
    simulator,
    timers,
    call: (path, fields) =>
      fetch(`${simulator.url}/api${path}`, { method: 'POST', body: new URLSearchParams(fields) }),
    control,
    script: async (...steps) => {
      const answer = await control('PUT', '/script', { steps });
      if (answer.status !== 200) throw new Error(await answer.text());
    },
    calls: async (query = '') => callList.parse(await (await control('GET', `/calls${query}`)).json()),
  };
}

const callList = z.object({
  items: z.array(z.custom<Call>()),
  total: z.number(),
  accepted: z.number(),
  delivered: z.number(),
});

/** The body of a failed or refused call. */
export const failureBody = z.strictObject({
  success: z.literal(false),
  message: z.string(),
  data: z.strictObject({ status_code: z.number() }),
});

/** The text that came over a bare socket, and the end of the connection: `end`, or the error's code. */
interface RawAnswer {
  readonly received: string;
  readonly ended: string;
}

/** Posts a text message over a bare socket and listens until the connection ends. */
export function rawCall(port: number, body = new URLSearchParams(TEXT).toString()): Promise<RawAnswer> {
  const { promise, resolve } = Promise.withResolvers<RawAnswer>();
  let received = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(rawRequest(body)));
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => (received += text));
  socket.on('end', () => resolve({ received, ended: 'end' }));
  socket.on('error', (error: NodeJS.ErrnoException) =>
    resolve({ received, ended: error.code ?? error.message }),
  );
  return promise;
}

const rawRequest = (body: string): string =>
  [
    'POST /api/send-message.php HTTP/1.1',
    'Host: simulator',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
