import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bundles } from './build.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { startRelay, type Relay } from './relay.ts';
import { proofConfig } from './webhook.ts';

/** A relay and the gateway that it sends to, both of this machine. */
export interface Stage {
  readonly gateway: Gateway;
  readonly relay: Relay;
  /** The folder of the relay's store. */
  readonly storeDir: string;
}

/**
 * The documents that are published before the play begins: additions to the one route, or routes instead of it;
 * additions to the account's document; and further accounts, whose credentials are in `vars`.
 */
interface StageConfig {
  readonly route?: object;
  readonly routes?: readonly object[];
  readonly account?: object;
  readonly accounts?: Readonly<Record<string, object>>;
  readonly vars?: Readonly<Record<string, string>>;
}

/** Sets a stage with an empty store, under the platform's limits of calls and memory, plays on it, and leaves neither process nor file behind. */
export async function onStage<Report>(
  bundles: Bundles,
  { route = {}, routes, account = {}, accounts = {}, vars = {} }: StageConfig,
  play: (stage: Stage) => Promise<Report>,
): Promise<Report> {
  const storeDir = mkdtempSync(join(tmpdir(), 'hookbell-e2e-'));
  const gateway = await startGateway();
  let relay: Relay | null = null;
  try {
    relay = await startRelay(bundles, gateway.baseUrl, storeDir, true, { vars });
    await relay.publish(proofConfig(route, account, routes, accounts));
    const report = await play({ gateway, relay, storeDir });
    const refused = relay.refusedCalls();
    if (refused > 0) throw new Error(`the platform had to refuse ${refused} calls: too many in one run`);
    return report;
  } finally {
    await relay?.kill();
    await gateway.close();
    rmSync(storeDir, { recursive: true });
  }
}
