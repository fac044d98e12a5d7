import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.ts';
import type { Failure } from '../failure.ts';
import { OVERLAP_MS, readHistory, type Dated } from './history.ts';
import { Shown } from './shown.ts';

const EVERY_MS = 2_000;

/** A tail for a relay that has none: reads the newest of the lists again and again. Ends when a list cannot be read. */
export async function poll(
  client: Client,
  { source, type }: { readonly source?: string | undefined; readonly type?: string | undefined },
  onFrame: (frame: Dated) => void,
): Promise<Failure> {
  const shown = new Shown();
  for (let isFirst = true, since = 0; ; isFirst = false) {
    const history = await readHistory(client, {
      source,
      type,
      since: since - OVERLAP_MS,
      pending: shown.pending,
    });
    if (!history.ok) return history.error;
    for (const frame of history.value.frames) {
      if (shown.take(frame, true) && !isFirst) onFrame(frame);
      since = Math.max(since, Date.parse(frame.at));
    }
    await sleep(EVERY_MS);
  }
}
