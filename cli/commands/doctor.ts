import { isRepository } from '../built.ts';
import type { AddCommand, Cli } from '../command.ts';
import { withRemedy, showChecks } from '../doctor/check.ts';
import { examine, worst } from '../doctor/examine.ts';
import { failed } from '../failure.ts';
import { count } from '../text.ts';

export const add: AddCommand = (program) => {
  program
    .command('doctor')
    .argument('[folder]', 'documents to compare with the active version')
    .option('--no-probe', 'do not call the gateway')
    .summary('find problems and suggest fixes')
    .description(
      'Checks a relay from outside, and lets it check itself: secrets, configuration, gateway, accounts, sources, rejections. Sends no message: the call that checks the gateway has no receiver. Exits with 1 if a check fails.',
    )
    .examples(
      ['hookbell doctor', 'everything'],
      ['hookbell doctor hookbell', 'also compares the folder with the active version'],
      ['hookbell doctor --tenant acme', 'a tenant of this repository'],
      ['hookbell doctor --json --no-probe', 'for a monitor'],
    )
    .run(doctor);
};

async function doctor(cli: Cli, folder: string | undefined, { probe }: { readonly probe: boolean }) {
  const { out, client } = cli;
  const relay = client.relay();
  if (!relay.ok) return relay;
  const { url } = relay.value;
  out.progress(`checking ${url} …`);
  // A clone is updated by git, and asks nobody. npm says which registry it uses.
  const registry = isRepository() ? null : cli.env['npm_config_registry'] || 'https://registry.npmjs.org';
  const found = await examine(client, { folder, probe, registry });
  const checks = found.map((check) => withRemedy(cli, check));
  out.progressDone();
  out.show({ url, status: worst(checks), checks }, () => {
    out.line(out.style('bold', url));
    out.line();
    showChecks(out, checks);
  });
  const bad = checks.filter(({ status }) => status === 'fail').length;
  return bad === 0 ? undefined : failed(`${count(bad, 'check')} failed`);
}
