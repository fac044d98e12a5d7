import {
  existsSync,
  readdirSync,
  rmSync,
  rmdirSync,
  appendFileSync,
  mkdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { err, ok } from '../../src/lib/result.ts';
import { createClient, type Client } from '../client.ts';
import { agreed, type Cli } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { derivedFile, writeDerived } from './derive.ts';
import { wrangler, startSteps, stoppedAt, type TenantSteps, SUPPRESSIONS } from './deploy.ts';
import { pastable } from '../paste.ts';
import { profileOf, asTenant, readSecrets, readTenant, refuseShared, type Tenant } from './store.ts';
import { readRootConfig, type JsonObject } from './wrangler.ts';
import { readConfig } from '../relay/config.ts';
import { eventsInFull, pagesOf } from '../relay/list.ts';
import { eventList, messageList, suppressionList } from '../relay/shapes.ts';
import { count } from '../text.ts';

const STEPS = ['export', 'delete'] as const;

export async function removeTenant(
  cli: Cli,
  name: string,
  { yes, export: isExported }: { readonly yes?: true; readonly export: boolean },
) {
  const tenant = readTenant(name);
  if (!tenant.ok) return tenant;
  const { worker, settings } = tenant.value;
  if (settings.url === undefined) return removeFiles(cli, tenant.value, yes === true);
  const config = await readRootConfig();
  if (!config.ok) return config;
  const own = refuseShared(tenant.value, config.value);
  if (!own.ok) return own;
  const sure = await isSure(cli, name, worker, yes === true);
  if (!sure.ok) return sure;
  const steps = startSteps(cli.out);
  const here = asTenant(cli, tenant.value);
  const done = await carryOut(here, tenant.value, steps, isExported, config.value);
  if (!done.ok)
    return stoppedAt(steps, STEPS, pastable(here, done.error), here.paste('tenant', 'remove', name));
  const left = whatIsLeft(tenant.value);
  return cli.out.show({ tenant: name, worker, url: settings.url, steps: steps.done, left }, () => {
    cli.out.line('\nLeft for you to delete:');
    for (const line of left) cli.out.line(`  ${line}`);
  });
}

/** Asks for the name, since the queue, the events and the versions of a deleted Worker cannot be restored. */
async function isSure({ ask }: Cli, name: string, worker: string, isYes: boolean): Promise<CommandResult> {
  if (isYes) return ok(undefined);
  if (ask === null)
    return failed(
      `there is no terminal to ask on; use --yes to delete the Worker ${worker} with all its data`,
    );
  const answer = await ask.text({
    message: `This deletes the Worker ${worker} with its queue, events and versions. Type ${name} to continue`,
  });
  if (!answer.ok) return answer;
  return answer.value.trim() === name
    ? ok(undefined)
    : failed('the name does not match; nothing was changed');
}

async function carryOut(
  cli: Cli,
  tenant: Tenant,
  steps: TenantSteps,
  isExported: boolean,
  root: JsonObject,
): Promise<CommandResult> {
  if (isExported) {
    const day = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    const client = createClient(() => profileOf(tenant, cli.out));
    const folder = join(tenant.paths.folder, `export-${day}`);
    const exported = await exportAll(cli, client, folder);
    if (!exported.ok) {
      const details = [...(exported.error.details ?? []), 'to remove it without an export: --no-export'];
      return err({ ...exported.error, details });
    }
    steps.finish('export', `${exported.value}, in ${folder}`);
  }
  const file = writeDerived(tenant, root, []);
  if (!file.ok) return file;
  const known = readSecrets(tenant);
  const args = ['delete', '--config', file.value, '--env='];
  const deleted = await wrangler(cli, tenant, known.ok ? known.value : new Map(), args);
  if (!deleted.ok) return deleted;
  steps.finish('delete', `Worker ${tenant.worker}, its objects and its secrets`);
  return ok(undefined);
}

function whatIsLeft({ name, worker, paths, settings }: Tenant): readonly string[] {
  const { domain, kv_namespace_id: id } = settings;
  return [
    `KV namespace ${id ?? `${worker}-config`}, with a copy of its documents:`,
    ...(id === undefined ? ['  npx wrangler kv namespace list, then'] : []),
    `  npx wrangler kv namespace delete --namespace-id ${id ?? '<its id>'}`,
    `${paths.folder} with ${paths.secrets}: rm -r ${paths.folder} when you need neither it nor the export`,
    ...(domain === undefined ? [] : [`the DNS record of ${domain}, if it is still there`]),
    `the webhooks of ${name} at its providers, and its login at the gateway`,
  ];
}

/** Removes the files of a tenant that has no relay; what neither `tenant add` nor `init` made stays. */
async function removeFiles(cli: Cli, { name, worker, paths }: Tenant, isYes: boolean) {
  const { out } = cli;
  const files = [paths.settings, paths.secrets, paths.secretsExample, paths.documents, derivedFile(name)];
  const there = files.filter((file) => existsSync(file));
  out.note(`${name} was never deployed from here, so there is no Worker to delete. Its files:`);
  for (const file of there) out.note(`  ${file}`);
  const may = await agreed(cli, 'Delete these files?', isYes, 'nothing was deleted');
  if (!may.ok) return may;
  const begun = existsSync(derivedFile(name));
  for (const file of there) rmSync(file, { recursive: true });
  const kept = readdirSync(paths.folder).map((file) => join(paths.folder, file));
  if (kept.length === 0) rmdirSync(paths.folder);
  const left = [...kept, ...(begun ? [`if a deploy was started: npx wrangler delete --name ${worker}`] : [])];
  return out.show({ tenant: name, worker, url: null, deleted: there, left }, () => {
    out.done(`the files of ${name} are deleted`);
    for (const line of left) out.line(`  left: ${line}`);
  });
}

/**
 * Writes all data of a relay: `config.json` (for `POST /config`), `events.jsonl`, `messages.jsonl`, and the receivers who
 * have opted out, which the next deploy puts back. Returns what it wrote, for a person.
 */
export async function exportAll(
  { out }: Pick<Cli, 'out'>,
  client: Client,
  folder: string,
): Promise<CommandResult<string>> {
  const config = await readConfig(client);
  if (!config.ok) return config;
  const { set, version } = config.value;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'config.json'), `${JSON.stringify(set, null, 2)}\n`, { mode: 0o600 });
  } catch (thrown) {
    return failed(
      `${folder} cannot be written: ${thrown instanceof Error ? thrown.message : 'unknown reason'}`,
    );
  }
  const events = await exportList(join(folder, 'events.jsonl'), fullEvents(client), (n) =>
    out.progress(`${count(n, 'event')} …`),
  );
  if (!events.ok) return events;
  const messages = await exportList(join(folder, 'messages.jsonl'), messagesByHand(client));
  if (!messages.ok) return messages;
  const optedOut = await exportList(
    join(folder, SUPPRESSIONS),
    pagesOf(client, '/suppressions', suppressionList),
  );
  if (!optedOut.ok) return optedOut;
  out.progressDone();
  const sent = messages.value === 0 ? '' : `, ${count(messages.value, 'message')} sent by hand`;
  const stopped = optedOut.value === 0 ? '' : `, ${count(optedOut.value, 'receiver')} opted out`;
  return ok(`version ${version}, ${count(events.value, 'event')}${sent}${stopped}`);
}

type Pages = AsyncGenerator<CommandResult<readonly unknown[]>>;

/** Each event with its payload and messages; newest first, since that is the order of the pages. */
async function* fullEvents(client: Client): Pages {
  for await (const page of pagesOf(client, '/events', eventList))
    if (!page.ok) yield page;
    else {
      const ids = page.value.map(({ id }) => id);
      for await (const answer of eventsInFull(client, ids))
        yield answer.ok ? ok([answer.value.json]) : answer;
    }
}

/** All others are in their events. */
async function* messagesByHand(client: Client): Pages {
  for await (const page of pagesOf(client, '/messages', messageList))
    yield page.ok ? ok(page.value.filter(({ event }) => event === null)) : page;
}

/** Writes a line for each item, up to the first failure. Returns how many they are. */
async function exportList(
  file: string,
  pages: AsyncIterable<CommandResult<readonly unknown[]>>,
  progress: (n: number) => void = () => {},
): Promise<CommandResult<number>> {
  writeFileSync(file, '', { mode: 0o600 });
  let written = 0;
  for await (const page of pages) {
    if (!page.ok) return page;
    appendFileSync(file, page.value.map((one) => `${JSON.stringify(one)}\n`).join(''));
    progress((written += page.value.length));
  }
  return ok(written);
}
