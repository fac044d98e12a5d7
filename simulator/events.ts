import type { ServerResponse } from 'node:http';
import { isShown, toBubble } from './bubble.ts';
import type { Call, CallLog } from './call-log.ts';

/** The number of calls that a newly opened page shows. The page itself does not keep more. */
const BACKLOG = 500;
/** A page that is this far behind is disconnected (bytes); when it connects again it gets the newest calls only. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024;

/**
 * The page's stream (server-sent events): `reset` (forget everything), then `bubble` for each of the newest calls and
 * for every one that comes. Each connection starts from the beginning, so that a page survives a restarted simulator.
 */
export function streamEvents(response: ServerResponse, calls: CallLog): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const send = (event: string, data: unknown): void => {
    if (response.writableLength > MAX_UNSENT_BYTES) response.destroy();
    else response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const sendCall = (call: Call): void => {
    if (isShown(call)) send('bubble', { bubble: toBubble(call), totals: calls.totals() });
  };

  response.write('retry: 1000\n\n');
  send('reset', { totals: calls.totals() });
  for (const call of calls.list({ limit: BACKLOG })) sendCall(call);
  const unsubscribe = calls.subscribe((call) =>
    call ? sendCall(call) : send('reset', { totals: calls.totals() }),
  );
  response.once('close', unsubscribe);
}
