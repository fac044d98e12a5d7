import { createServer, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { ID_PREFIX, INDEX_DIGITS, RUN_DIGITS } from './payment.ts';
import { clock, CONTROL, type Times } from './shared.ts';

/**
 * A gateway that costs next to nothing, in a thread of its own: it says yes to each call, and notes when which id came.
 * No HTTP server: only the length of the body is read, and the id of the payment in it.
 */
function serve({ control, called }: Times): void {
  const text = JSON.stringify({ success: true, message: 'ok', data: { status_code: 200 } });
  const answer = new TextEncoder().encode(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  );
  const respond = (socket: Socket): void => {
    if (!socket.destroyed) socket.write(answer);
  };
  const note = (request: string): void => {
    Atomics.add(control, CONTROL.calls, 1);
    const at = request.indexOf(ID_PREFIX) + ID_PREFIX.length;
    if (at < ID_PREFIX.length) return;
    const digits = request.slice(at, at + RUN_DIGITS + INDEX_DIGITS);
    if (Number(digits.slice(0, RUN_DIGITS)) !== Atomics.load(control, CONTROL.run)) return;
    const index = Number(digits.slice(RUN_DIGITS));
    if (called[index] !== 0) return;
    called[index] = clock();
    Atomics.add(control, CONTROL.called, 1);
  };
  const server = createServer({ noDelay: true }, (socket) => {
    let rest = '';
    // A byte is a character.
    socket.setEncoding('latin1');
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: string) => {
      rest += chunk;
      for (let end = lengthOf(rest); end !== null && end <= rest.length; end = lengthOf(rest)) {
        note(rest.slice(0, end));
        rest = rest.slice(end);
        const answerAfterMs = Atomics.load(control, CONTROL.answerAfterMs);
        if (answerAfterMs === 0) respond(socket);
        else setTimeout(respond, answerAfterMs, socket);
      }
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    parentPort?.postMessage(typeof address === 'object' && address !== null ? address.port : 0, []);
  });
}

/** The length of the first request. Null if its head is not complete yet. */
function lengthOf(text: string): number | null {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))?.[1];
  return head + 4 + Number(length ?? 0);
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the lab starts it with them
serve(workerData as Times);
