import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';

const ANSWER = JSON.stringify({ success: true, message: 'ok', data: { status_code: 200 } });

/** Longer than any pause between two rounds: a call must not meet a connection that is just being closed. */
const KEEP_ALIVE_MS = 600_000;

/** A gateway that costs next to nothing, in a thread of its own: the simulator would take time from what is measured. */
const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
  request.resume();
  request.on('end', () => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length })
      .end(ANSWER);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  parentPort?.postMessage(typeof address === 'object' && address !== null ? address.port : 0, []);
});
