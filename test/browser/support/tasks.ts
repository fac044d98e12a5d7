import type { Page } from 'playwright-core';
import * as z from 'zod';

/** A task in Chromium's trace: its thread, and its time on the processor (µs). */
const event = z.object({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  tdur: z.number().optional(),
  args: z.object({ name: z.unknown() }).partial().optional(),
});
const trace = z.object({ traceEvents: z.array(event) });

/**
 * The longest task of the page's main thread while `work` is done, in ms of its processor. On a busy machine other
 * programs may run in the middle of a task: their time does not count.
 */
export async function longestTaskOf(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('no browser');
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await work();
  const { traceEvents } = trace.parse(JSON.parse((await browser.stopTracing()).toString('utf8')));
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = traceEvents.filter(({ pid, tid, tdur }) => tdur !== undefined && main.has(`${pid}/${tid}`));
  if (tasks.length === 0) throw new Error('the trace has no task');
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1_000), 0);
}
