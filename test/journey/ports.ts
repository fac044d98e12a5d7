import { createServer } from 'node:net';

/** The port at which a worker begins to look: four digits, as the standard ports have, so that tables are as wide. */
const FIRST = 8_760;
const EACH = 20;

/** `count` ports that nothing listens on, in a range that no other worker of this run looks in. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const first = FIRST + EACH * (Number(process.env['VITEST_POOL_ID'] ?? 1) - 1);
  const found: number[] = [];
  for (let port = first; port < first + EACH && found.length < count; port += 1)
    if (await isFree(port)) found.push(port);
  if (found.length < count) throw new Error(`no ${count} free ports from ${first} to ${first + EACH - 1}`);
  return found;
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = createServer();
  probe.once('error', () => resolve(false));
  probe.listen(port, 'localhost', () => probe.close(() => resolve(true)));
  return promise;
}
