import { addExamples, type AddCommand } from './command.ts';
import { addTenantFiles, type AddOptions } from './tenant/add.ts';
import { deployTenant, type DeployOptions } from './tenant/deploy.ts';
import { listTenants, type ListOptions } from './tenant/list.ts';
import { removeTenant, type RemoveOptions } from './tenant/remove.ts';

/** `tenant`: many deployments out of one repository, each with a folder of its own. */
export const addTenant: AddCommand = (program, run) => {
  const tenant = program
    .command('tenant')
    .summary('make, deploy, list and remove tenants')
    .description(
      'A tenant is a deployment of its own: its Worker, objects, KV namespace, secrets and documents. What it is stands in tenants/<name>; `hookbell --tenant <name> …` talks to its relay.',
    );

  const add = tenant
    .command('add')
    .argument('<name>', 'lower-case letters, digits and hyphens')
    .option('--from <folder>', 'copy the documents of this folder')
    .option('--gateway <address>', 'its gateway’s base address, which ends in /api')
    .option('--domain <host>', 'its own host name, of a zone in the same Cloudflare account')
    .summary('write the files of a new tenant')
    .description(
      'Writes tenants/<name>: settings, documents, and a file for its secrets, which stays out of git.',
    )
    .action(run((cli, name: string, options: AddOptions) => addTenantFiles(cli, name, options)));
  addExamples(add, [
    'hookbell tenant add acme --gateway https://gateway.example/api --from hookbell',
    'with the documents of ./hookbell',
  ]);

  const deploy = tenant
    .command('deploy')
    .argument('<name>', 'the tenant')
    .option('--dry-run', 'check everything, show the commands, build the Worker, change nothing')
    .option('-y, --yes', 'publish without asking')
    .option('--immediate', 'replace running objects at once, and not within five minutes')
    .summary('deploy code, secrets and documents of a tenant')
    .description(
      'Checks its documents and secrets, deploys its Worker with all secrets at once, publishes its documents, and has the doctor look at it. Stops at the first thing that is wrong, says what was done, and can be run again.',
    )
    .action(run((cli, name: string, options: DeployOptions) => deployTenant(cli, name, options)));
  addExamples(
    deploy,
    ['hookbell tenant deploy acme --dry-run', 'what would happen'],
    ['hookbell tenant deploy acme --yes', 'in CI'],
  );

  const list = tenant
    .command('list')
    .option('--status', 'ask each relay how it is')
    .summary('list the tenants of this repository')
    .description(
      'Lists the folders in tenants, with --status also health, version and the doctor’s word of each relay.',
    )
    .action(run((cli, options: ListOptions) => listTenants(cli, options)));
  addExamples(list, ['hookbell tenant list --status', 'are they all well?']);

  const remove = tenant
    .command('remove')
    .argument('<name>', 'the tenant')
    .option('-y, --yes', 'do not ask')
    .option('--no-export', 'do not write down its documents and events first')
    .summary('export all data of a tenant, and delete its Worker')
    .description(
      'Writes its documents and events to tenants/<name>/export-<time>, deletes its Worker, and says what is left.',
    )
    .action(run((cli, name: string, options: RemoveOptions) => removeTenant(cli, name, options)));
  addExamples(remove, ['hookbell tenant remove acme', 'asks for the name again']);
};
