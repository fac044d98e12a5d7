import { setTimeout as sleep } from 'node:timers/promises';
import { wholeNumber, type AddCommand, type Cli } from '../command.ts';
import { addTenantFiles } from '../tenant/add.ts';
import { checkTenants, chosenTenants, listTenants } from '../tenant/list.ts';
import { deployTenants } from '../tenant/deploy.ts';
import { removeTenant } from '../tenant/remove.ts';
import { showStatus, statusOf, statusTable } from '../tenant/status.ts';
import { count } from '../text.ts';

const ALL = 'all tenants of this repository';

export const add: AddCommand = (program) => {
  const tenant = program
    .command('tenant')
    .summary('create, check, deploy, list and remove tenants')
    .description(
      'A tenant is a separate deployment, with its own Worker, objects, KV namespace, secrets and documents. Its files are in tenants/<name>; `hookbell --tenant <name> …` uses its relay.',
    );

  tenant
    .command('add')
    .argument('<name>', 'lower-case letters, digits and hyphens')
    .option('--from <folder>', 'copy the documents of this folder')
    .option(
      '--gateway <address>',
      'its gateway’s base address, which ends in /api; only accounts with a v2 gateway use it',
    )
    .option('--domain <host>', 'its own host name, of a zone in the same Cloudflare account')
    .summary('write the files of a new tenant')
    .description(
      'Writes tenants/<name> with settings, documents, and a file for secrets that stays out of git.',
    )
    .examples([
      'hookbell tenant add acme --gateway https://gateway.example/api --from hookbell',
      'with the documents of ./hookbell',
    ])
    .run(addTenantFiles);

  tenant
    .command('deploy')
    .argument('[name]', 'the tenant')
    .option('--all', ALL)
    .option(
      '--first <name>',
      'with --all: this tenant before the others, which wait until its doctor finds nothing that fails',
    )
    .option('--dry-run', 'check everything, show the commands and build the Worker, but change nothing')
    .option('-y, --yes', 'do not ask')
    .option(
      '--immediate',
      'restart running Durable Objects with the new code at once instead of within five minutes',
    )
    .summary('deploy code, secrets and documents of a tenant')
    .description(
      'Checks the documents and secrets of a tenant, deploys its Worker with all secrets, puts back the receivers who had opted out before a `tenant remove`, publishes the documents, and runs the doctor. Stops at the first error and lists the finished steps. You can run it again. With --all, goes on with the next tenant after an error, and ends with a table.',
    )
    .examples(
      ['hookbell tenant deploy acme --dry-run', 'a trial run'],
      ['hookbell tenant deploy acme --yes', 'in CI'],
      ['hookbell tenant deploy --all --first acme --yes', 'all, if acme is healthy afterwards'],
    )
    .run(deployTenants);

  tenant
    .command('check')
    .argument('[name]', 'the tenant')
    .option('--all', ALL)
    .summary('check the settings and documents of tenants, offline')
    .description('Checks settings and documents and runs the fixtures, without secrets and without a relay.')
    .examples(['hookbell tenant check --all', 'in CI, on each pull request'])
    .run(checkTenants);

  tenant
    .command('status')
    .argument('[name]', 'the tenant')
    .option('--all', ALL)
    .summary('show the state of relays')
    .description(
      'Shows what the relays say: health, doctor, open incidents, failing sources, the last event, the version. Exits with 1 if one does not answer or fails a check. `hookbell tenants` repeats it.',
    )
    .examples(['hookbell tenant status --all', 'each relay, once'])
    .run(showStatus);

  tenant
    .command('list')
    .summary('list the tenants of this repository')
    .description('Lists the tenants in tenants/, and calls no relay.')
    .examples(['hookbell tenant list', 'their Workers and addresses'])
    .run(async (cli) => listTenants(cli));

  tenant
    .command('remove')
    .argument('<name>', 'the tenant')
    .option('-y, --yes', 'do not ask')
    .option('--no-export', 'do not export its documents and events first')
    .summary('export all data of a tenant, and delete its Worker')
    .description(
      'Exports documents, events and the receivers who have opted out to tenants/<name>/export-<time>, deletes the Worker, and lists what is left to delete.',
    )
    .examples(['hookbell tenant remove acme', 'asks you to type the name'])
    .run(removeTenant);

  program
    .command('tenants')
    .option('--every <seconds>', 'ask again after this many seconds', wholeNumber(5, 3_600), 30)
    .summary('watch all tenants of this repository')
    .description(
      'Shows a row for each tenant: health, doctor, open incidents, failing sources, the last event, the version and the console. Those that need you come first. Asks each relay from this machine, with the token in its folder, and shows no token. On a terminal, repeats until Ctrl-C.',
    )
    .examples(['hookbell tenants', 'leave it open'], ['hookbell tenants --json', 'once, for a program'])
    .run(watch);
};

async function watch(cli: Cli, { every }: { readonly every: number }) {
  const { out } = cli;
  for (;;) {
    const names = chosenTenants(undefined, { all: true });
    if (!names.ok) return names;
    const all = await statusOf(cli, names.value);
    out.show({ items: all }, () => {
      if (out.columns !== Infinity)
        out.line(`${CLEAR}${count(all.length, 'tenant')}, ${new Date().toLocaleTimeString()}\n`);
      statusTable(out, all);
    });
    if (out.isJson || out.columns === Infinity) return undefined;
    await sleep(every * 1_000);
  }
}

/** Of the terminal, from the top. */
const CLEAR = '\u001b[2J\u001b[H';
