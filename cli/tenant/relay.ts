import { ok } from '../../src/lib/result.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import type { Output } from '../output.ts';
import { readProfile, type Profile } from '../client.ts';
import { readSecrets, readTenant, type Tenant } from './store.ts';
import type { Cli } from '../command.ts';
import { pasting, programName } from '../paste.ts';
import { placeOfTenant } from '../place.ts';

/** The address of a tenant's relay, as its last deploy wrote it. */
export function tenantUrl({ name, paths, settings }: Tenant): CommandResult<string> {
  return settings.url === undefined
    ? failed(
        `${name} has no relay yet: \`hookbell tenant deploy ${name}\` creates it (${paths.settings} has no \`url\`)`,
      )
    : ok(settings.url.replace(/\/+$/, ''));
}

/** The tenant's relay, with the token from its own secrets. The shell's address and token are for another relay. */
export function profileOf(tenant: Tenant, out: Output): CommandResult<Profile> {
  const url = tenantUrl(tenant);
  if (!url.ok) return url;
  const secrets = readSecrets(tenant);
  if (!secrets.ok) return secrets;
  // A colleague with a lesser role has only its token.
  const [token] = ['ADMIN_TOKEN', 'OPERATOR_TOKEN', 'VIEWER_TOKEN'].flatMap(
    (name) => secrets.value.get(name) ?? [],
  );
  if (token === undefined)
    return failed(`${tenant.paths.secrets} has no ADMIN_TOKEN, OPERATOR_TOKEN or VIEWER_TOKEN`);
  return readProfile(url.value, { HOOKBELL_TOKEN: token }, out);
}

/** The tenant of `--tenant`. Together with an address, its token would be sent elsewhere. */
export function chosenTenant(name: string, url: string | undefined): CommandResult<Tenant> {
  if (url !== undefined) return misused('--tenant and --url both choose the relay; give one of them');
  return readTenant(name);
}

/** The command line for one tenant, as with `--tenant`: printed commands are for that tenant. */
export const asTenant = (cli: Cli, tenant: Tenant): Cli => ({
  ...cli,
  ...pasting({ program: programName(cli.env), tenant: tenant.name }, placeOfTenant(tenant)),
  tenant: ok(tenant),
});
