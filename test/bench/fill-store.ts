import { bundleHelper, type Bundles } from '../e2e/build.ts';
import { freePort, startRuntime } from '../e2e/runtime.ts';
import type { Filling } from './fill-worker.ts';

/** Has a Worker that stands in for the relay write into an outbox's store: one request for each of `portions`. */
export async function fillStore(
  { compatibilityDate }: Bundles,
  storeDir: string,
  portions: readonly Filling[],
): Promise<void> {
  if (portions.length === 0) return;
  const objects = [{ binding: 'OUTBOX', className: 'Outbox' }];
  const runtime = await startRuntime({
    port: await freePort(),
    storeDir,
    compatibilityDate,
    readyPath: '/',
    workers: [{ name: 'relay', module: bundleHelper('test/bench/fill-worker.ts'), objects }],
  });
  try {
    for (const portion of portions) {
      const answer = await fetch(runtime.url, { method: 'POST', body: JSON.stringify(portion) });
      if (!answer.ok) throw new Error(`the store was not filled: ${runtime.output().slice(-2_000)}`);
    }
  } finally {
    await runtime.kill();
  }
}
