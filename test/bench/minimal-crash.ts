import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postAll, type Posted } from '../e2e/poster.ts';
import { seeded, seedOfRun } from '../e2e/random.ts';
import { freePort } from '../e2e/runtime.ts';
import { startMinimal } from './contestants.ts';
import { openGateway } from './measure.ts';
import { payment, paymentId } from './payment.ts';
import { CONTROL, newTimes } from './shared.ts';

const EVENTS = 200;
const KILLS = 5;
const CONNECTIONS = 8;
const MAX_IN_FLIGHT = 6;
const GATEWAY_MS = 20;
/** The alarm that wakes a stopped object comes after thirty seconds. */
const DRAINED_WITHIN_MS = 60_000;

/**
 * `node test/bench/minimal-crash.ts`: kills the minimal deliverer five times while it accepts and sends. It is a measure for the
 * relay only if it loses nothing either, and sends twice only what was in flight.
 */
async function main(): Promise<void> {
  const seed = seedOfRun();
  const random = seeded(seed);
  const times = newTimes();
  const gateway = await openGateway(times);
  Atomics.store(times.control, CONTROL.run, 1);
  Atomics.store(times.control, CONTROL.answerAfterMs, GATEWAY_MS);
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-minimal-'));
  const port = await freePort();
  const start = (): ReturnType<typeof startMinimal> => startMinimal(gateway.url, folder, port);
  let runtime = await start();
  try {
    const webhooks = Array.from({ length: EVENTS }, (_, index) => ({
      id: paymentId(1, index),
      phone: '',
      ...payment(1, index),
    }));
    const share = Math.ceil(EVENTS / KILLS);
    const posted: Posted[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const some = webhooks.slice(kill * share, (kill + 1) * share);
      const posting = postAll(`http://127.0.0.1:${port}/hooks/proof`, some, CONNECTIONS);
      // Should the restart fail, that is the error to report, not this one.
      posting.catch(() => undefined);
      await sleep(random.between(5, 150));
      await runtime.kill();
      runtime = await start();
      posted.push(...(await posting));
    }
    const calls = (): number => Atomics.load(times.control, CONTROL.called);
    for (const deadline = Date.now() + DRAINED_WITHIN_MS; calls() < EVENTS && Date.now() < deadline;)
      await sleep(50);
    await sleep(1_000);
    const lost = EVENTS - calls();
    const repeated = Atomics.load(times.control, CONTROL.repeated);
    const retried = posted.filter(({ tries }) => tries > 1).length;
    process.stdout.write(
      `SEED=${seed}: ${posted.length} accepted, ${retried} of them posted again, ${KILLS} kills; ` +
        `${lost} lost, ${repeated} sent twice (${KILLS * MAX_IN_FLIGHT} allowed)\n`,
    );
    if (lost > 0 || repeated > KILLS * MAX_IN_FLIGHT) process.exitCode = 1;
  } finally {
    await runtime.kill();
    await gateway.close();
    rmSync(folder, { recursive: true });
  }
}

await main();
