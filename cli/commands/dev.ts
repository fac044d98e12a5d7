import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '../../src/lib/result.ts';
import { wholeNumber, type AddCommand, type Cli, type Options } from '../command.ts';
import { realPhone } from '../dev/real-phone.ts';
import { startDev, type DevOptions } from '../dev/start.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import { DEFAULT_FOLDER } from '../folder/kinds.ts';
import type { Env } from '../io.ts';
import { ownerOf } from '../tenant/folder.ts';

type GivenOptions = Options<'phone', 'demo'> & { readonly port?: number; readonly simulatorPort?: number };

/** The usual ports, by the variables that name others. */
const PORTS = { PORT: 8787, SIMULATOR_PORT: 8788 } as const;
const MAX_PORT = 65_535;

export const add: AddCommand = (program) => {
  program
    .command('dev')
    .argument(
      '[documents]',
      `the folder with the documents (default: ${DEFAULT_FOLDER} if it exists, else the demo)`,
    )
    .option('--port <port>', `the relay's port (default: PORT, or ${PORTS.PORT})`, wholeNumber(1, MAX_PORT))
    .option(
      '--simulator-port <port>',
      `the phone's port (default: SIMULATOR_PORT, or ${PORTS.SIMULATOR_PORT})`,
      wholeNumber(1, MAX_PORT),
    )
    .option('--phone <topic>', 'also show messages on a real phone with the ntfy app: ntfy:my-topic')
    .option('--demo', 'publish the demo even if there is a folder')
    .summary('run a relay and a simulated phone on this machine')
    .description(
      'Starts the relay on this machine, with its store in .wrangler, and a simulated phone that shows the messages. Publishes the folder or, if the store is empty, the demo with three webhooks. With --tenant, publishes that tenant’s folder; each tenant has a store of its own, so with other ports several run at once. Uses the values in .dev.vars, except those for gateways, so no message reaches a real phone without --phone. Answers only this machine and, for a tunnel, the host of PUBLIC_URL in .dev.vars. Ctrl-C stops everything.',
    )
    .examples(
      ['hookbell dev', 'the documents of ./hookbell, or the demo'],
      ['hookbell dev --port 9000 --simulator-port 9001', 'on other ports'],
      ['hookbell dev --phone ntfy:my-topic', 'also send messages to a real phone'],
      ['hookbell dev --tenant acme', 'the documents of tenants/acme'],
    )
    .run(dev);
};

async function dev(
  cli: Cli,
  folder: string | undefined,
  options: GivenOptions,
): Promise<CommandResult | void> {
  const port = chosenPort(options.port, cli.env, 'PORT');
  if (!port.ok) return port;
  const simulatorPort = chosenPort(options.simulatorPort, cli.env, 'SIMULATOR_PORT');
  if (!simulatorPort.ok) return simulatorPort;
  if (port.value === simulatorPort.value)
    return misused(
      `the relay and the simulated phone cannot both have port ${port.value}; choose another with PORT=… or SIMULATOR_PORT=…`,
    );
  const phone = options.phone === undefined ? ok(null) : realPhone(options.phone, fetch);
  if (!phone.ok) return misused(phone.error);
  const documents = documentsOf(cli, folder, options.demo === true);
  if (!documents.ok) return documents;
  try {
    return await startDev(cli, {
      ...documents.value,
      port: port.value,
      simulatorPort: simulatorPort.value,
      phone: phone.value,
    });
  } catch (thrown) {
    return failed(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function documentsOf(
  { tenant }: Cli,
  given: string | undefined,
  isDemo: boolean,
): CommandResult<Pick<DevOptions, 'folder' | 'tenant'>> {
  if (tenant !== null && !tenant.ok) return tenant;
  const usual = existsSync(join(DEFAULT_FOLDER, 'sources')) ? DEFAULT_FOLDER : null;
  const folder = isDemo ? null : (given ?? tenant?.value.paths.documents ?? usual);
  if (folder === null) return ok({ folder, tenant: null });
  const owner = ownerOf(folder)?.name ?? null;
  return tenant === null || owner === tenant.value.name
    ? ok({ folder, tenant: owner })
    : misused(`${folder} does not belong to the tenant ${tenant.value.name}`);
}

function chosenPort(option: number | undefined, env: Env, name: keyof typeof PORTS): CommandResult<number> {
  const port = option ?? Number(env[name] || PORTS[name]);
  return Number.isInteger(port) && port > 0 && port <= MAX_PORT
    ? ok(port)
    : misused(`${name} must be a port number from 1 to ${MAX_PORT}, not ${env[name] ?? ''}`);
}
