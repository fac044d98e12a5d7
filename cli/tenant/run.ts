import { ok } from '../../src/lib/result.ts';
import type { Cli } from '../command.ts';
import { pasting, programName } from '../paste.ts';
import { placeOfTenant } from '../place.ts';
import type { Tenant } from './store.ts';

/** The command line for one tenant, as with `--tenant`: printed commands are for that tenant. */
export const asTenant = (cli: Cli, tenant: Tenant): Cli => ({
  ...cli,
  ...pasting({ program: programName(cli.env), tenant: tenant.name }, placeOfTenant(tenant)),
  tenant: ok(tenant),
});
