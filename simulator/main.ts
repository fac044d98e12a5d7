import { API_PREFIX } from './gateway.ts';
import { startSimulator } from './simulator.ts';

/** Runs the simulator on its own: `node simulator/main.ts`, with `SIMULATOR_PORT` (8788). */
async function main(): Promise<void> {
  const port = Number(process.env['SIMULATOR_PORT'] ?? 8788);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error('SIMULATOR_PORT must be a port: a whole number from 0 to 65535.');
  }
  const simulator = await startSimulator({ port });
  process.stdout.write(
    `Gateway simulator: ${simulator.url} (GATEWAY_BASE_URL=${simulator.url}${API_PREFIX})\n`,
  );
  const stop = (): void => void simulator.close();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
