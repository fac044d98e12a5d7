import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { failed, misused, type Outcome } from '../failure.ts';
import type { Output } from '../output.ts';
import { connect } from '../relay/connect.ts';
import { readProfile } from '../relay/profile.ts';
import { readSecrets, readTenant, type Tenant } from './store.ts';

/** Where a tenant's relay answers: as its last deploy wrote it down. */
export function tenantUrl({ name, paths, settings }: Tenant): Outcome<string> {
  return settings.url === undefined
    ? failed(`${paths.settings} has no \`url\` yet: \`hookbell tenant deploy ${name}\` writes it`)
    : ok(settings.url.replace(/\/+$/, ''));
}

/** The tenant's relay, with the token out of its own secrets; the shell's address and token are another relay's. */
export function clientOf(tenant: Tenant, out: Output): Outcome<Client> {
  const url = tenantUrl(tenant);
  if (!url.ok) return url;
  const secrets = readSecrets(tenant);
  if (!secrets.ok) return secrets;
  const token = secrets.value.get('ADMIN_TOKEN');
  if (token === undefined) return failed(`${tenant.paths.secrets} has no ADMIN_TOKEN`);
  const profile = readProfile(url.value, { HOOKBELL_TOKEN: token });
  return profile.ok ? ok(connect(profile.value, out)) : profile;
}

/** What `--tenant` chooses. An address beside it would send the tenant's token elsewhere. */
export function chosenTenant(name: string, url: string | undefined): Outcome<Tenant> {
  if (url !== undefined) return misused('--tenant and --url both say which relay; give one of them');
  return readTenant(name);
}
