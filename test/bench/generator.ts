import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { paymentRequest, type Shape } from './payment.ts';
import { clock, type Times } from './shared.ts';

/** One run: at most N webhooks over N connections, each with one request at a time. */
export interface LoadOrder {
  readonly port: number;
  /** They take turns. */
  readonly paths: readonly string[];
  readonly shape: Shape;
  readonly run: number;
  readonly count: number;
  readonly connections: number;
  /** No more are sent after this, however few there were. */
  readonly withinMs: number;
  /** Each waits until the gateway was called for the one before it, and this much longer; null: it does not. */
  readonly aloneMs: number | null;
}

/** The result of a load. */
export interface LoadDone {
  /** The number of requests sent. */
  readonly count: number;
  /** CPU of the generator's thread meanwhile, ms. */
  readonly cpuMs: number;
  /** The first answer other than 2xx, or the error. Null if all went well. */
  readonly failed: string | null;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the lab starts it with them
const { sent, accepted, called } = workerData as Times;

parentPort?.on('message', (order: LoadOrder) => {
  void answer(order);
});

async function answer(order: LoadOrder): Promise<void> {
  parentPort?.postMessage(await load(order), []);
}

/** The requests are made before the first is sent: signing them would be counted else. */
async function load(order: LoadOrder): Promise<LoadDone> {
  const { port, paths, shape, run, count, connections, withinMs, aloneMs } = order;
  const requests = Array.from({ length: count }, (_, index) =>
    paymentRequest(run, index, paths[index % paths.length] ?? '', shape),
  );
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const before = process.threadCpuUsage();
  const stopAt = clock() + withinMs;
  let next = 0;
  let failed: string | null = null;
  const sendNext = async (socket: Socket): Promise<boolean> => {
    const index = next;
    const now = clock();
    const request = failed === null && now < stopAt ? requests[index] : undefined;
    if (request === undefined) return false;
    next += 1;
    sent[index] = now;
    const answer = await exchange(socket, request);
    accepted[index] = clock();
    if (!answer.startsWith('2', STATUS_AT)) failed ??= answer.slice(0, 500);
    if (aloneMs !== null) await calledFor(index);
    return true;
  };
  const lane = async (first: Socket): Promise<void> => {
    let socket = first;
    while (await sendNext(socket)) {
      if (aloneMs === null) continue;
      // Nobody keeps a connection open that long.
      socket.destroy();
      await sleep(aloneMs);
      socket = await open(port);
    }
    socket.destroy();
  };
  await Promise.all(
    sockets.map((socket) =>
      lane(socket).catch((thrown: unknown) => {
        failed ??= String(thrown);
      }),
    ),
  );
  const { user, system } = process.threadCpuUsage(before);
  return { count: next, cpuMs: (user + system) / 1_000, failed };
}

/** In `HTTP/1.1 202 Accepted`. */
const STATUS_AT = 9;

/** One request and the whole of its answer. */
function exchange(socket: Socket, request: Uint8Array): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = '';
  const onData = (chunk: string): void => {
    answer += chunk;
    if (!isWhole(answer)) return;
    socket.off('data', onData).off('error', reject).off('close', onClose);
    resolve(answer);
  };
  const onClose = (): void => reject(new Error('the connection was closed'));
  socket.on('data', onData).on('error', reject).on('close', onClose).write(request);
  return promise;
}

async function calledFor(index: number): Promise<void> {
  while (called[index] === 0) await sleep(1);
}

/** True if the text is a whole answer. */
function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))?.[1];
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= head + 4 + Number(length);
}

function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
  return new Promise((resolve, reject) => {
    socket.once('error', reject).once('connect', () => {
      socket.off('error', reject).on('error', () => socket.destroy());
      resolve(socket);
    });
  });
}
