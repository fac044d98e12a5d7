import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { paymentRequest } from './payment.ts';
import { clock, type Times } from './shared.ts';

/** One run: at most so many webhooks over so many connections, each with one request at a time. */
export interface LoadOrder {
  readonly port: number;
  readonly path: string;
  readonly run: number;
  readonly count: number;
  readonly connections: number;
  /** No more are sent after this, however few there were. */
  readonly withinMs: number;
  /** Each waits until the gateway was called for the one before it, and this much longer; null: it does not. */
  readonly aloneMs: number | null;
}

/** How it ended. */
export interface LoadDone {
  /** How many were sent. */
  readonly count: number;
  /** CPU of the generator's thread meanwhile, ms. */
  readonly cpuMs: number;
  /** The first answer that was no 2xx, or what broke. */
  readonly failed: string | null;
}

const { sent, accepted, called } = workerData as Times;

parentPort?.on('message', (order: LoadOrder) => {
  void load(order).then((done) => parentPort?.postMessage(done, []));
});

/** The requests are made before the first is sent: signing them would be counted else. */
async function load(order: LoadOrder): Promise<LoadDone> {
  const { port, path, run, count, connections, withinMs, aloneMs } = order;
  const requests = Array.from({ length: count }, (_, index) => paymentRequest(run, index, path));
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const before = process.threadCpuUsage();
  const stopAt = clock() + withinMs;
  let next = 0;
  let failed: string | null = null;
  const lane = (socket: Socket): Promise<void> =>
    new Promise((resolve) => {
      let index = 0;
      let rest = '';
      const send = (): void => {
        const now = clock();
        const request = failed === null && now < stopAt ? requests[next] : undefined;
        if (request === undefined) {
          resolve();
          return;
        }
        index = next++;
        sent[index] = now;
        socket.write(request);
      };
      const fail = (why: string): void => {
        failed ??= why;
        resolve();
      };
      socket.on('error', ({ message }) => fail(message)).on('close', () => fail('the connection was closed'));
      socket.on('data', (chunk: Buffer) => {
        rest += chunk.toString('latin1');
        if (!isWhole(rest)) return;
        accepted[index] = clock();
        if (rest.charCodeAt(9) !== 50) fail(rest.slice(0, 500));
        rest = '';
        if (aloneMs === null) send();
        else void calledFor(index).then(() => setTimeout(send, aloneMs));
      });
      send();
    });
  await Promise.all(sockets.map(lane));
  const { user, system } = process.threadCpuUsage(before);
  for (const socket of sockets) socket.destroy();
  return { count: next, cpuMs: (user + system) / 1_000, failed };
}

async function calledFor(index: number): Promise<void> {
  while (called[index] === 0) await sleep(1);
}

/** Whether the text is a whole answer. */
function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))?.[1];
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= head + 4 + Number(length);
}

function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });
}
