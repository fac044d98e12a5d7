import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { buildBundles } from '../e2e/build.ts';
import { startGateway } from '../e2e/gateway.ts';
import { startRelay } from '../e2e/relay.ts';
import { FILES_PATH, markedBundle } from './marked-bundle.ts';
import { payment, paymentConfig } from './payment.ts';
import { readableBundle } from './readable-bundle.ts';

/** Until the record of a call is on disk, with all that follows from it (ms). */
const SETTLED_MS = 1_500;

/**
 * `npm run main-path`: the files of `src` that one signed webhook runs from its request to the record of `sent`, in a
 * Worker and an object that have done it before. A file counts when a function of it is called, whatever it does: those
 * that only find nothing to do (no incident, nobody who watches) are among them. `lib`, which knows nothing of the domain,
 * is listed and not counted; what is only a type does not run.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-path-'));
  try {
    const bundle = await readableBundle(folder);
    const files = await filesRun(markedBundle(bundle), join(folder, 'store'));
    const counted = files.filter((file) => !file.startsWith('src/lib/'));
    for (const file of files) process.stdout.write(`${counted.includes(file) ? ' ' : '-'} ${file}\n`);
    const byFolder = Map.groupBy(counted, (file) => file.split('/')[1] ?? '');
    const folders = [...byFolder].map(([folder, { length }]) => `${folder} ${length}`).join(', ');
    process.stdout.write(
      `${counted.length} files: ${folders}; and ${files.length - counted.length} of lib\n`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const fileList = z.array(z.string());

async function filesRun(bundle: string, store: string): Promise<readonly string[]> {
  const gateway = await startGateway();
  const bundles = { ...buildBundles(), relay: bundle };
  const relay = await startRelay(bundles, gateway.baseUrl, store);
  try {
    await relay.publish(paymentConfig());
    await deliver(relay.hookUrl, 0);
    const filesSince = async (): Promise<readonly string[]> =>
      fileList.parse(await (await fetch(relay.url + FILES_PATH)).json());
    await filesSince();
    await deliver(relay.hookUrl, 1);
    const files = await filesSince();
    if ((await gateway.calls()).length !== 2) throw new Error('the gateway was not called twice');
    return files.toSorted();
  } finally {
    await relay.kill();
    await gateway.close();
  }
}

async function deliver(url: string, index: number): Promise<void> {
  const { body, signature } = payment(0, index);
  const headers = { 'content-type': 'application/json', 'x-signature': signature };
  const { status } = await fetch(url, { method: 'POST', headers, body });
  if (status !== 202) throw new Error(`the webhook got ${status}`);
  await sleep(SETTLED_MS);
}

// An exit ends the runtime as well; a signal alone would leave it behind.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
await main();
