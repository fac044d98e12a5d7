import type { Check } from '../doctor/check.ts';
import type { Tenant } from './store.ts';

/**
 * A check with a remedy that works for a tenant. The original remedy would change the Worker of `wrangler.toml`, or
 * another relay.
 */
export function forTenant<One extends Pick<Check, 'remedy'>>(
  check: One,
  { name, worker, paths }: Pick<Tenant, 'name' | 'worker' | 'paths'>,
): One {
  const { remedy } = check;
  if (remedy === undefined) return check;
  const tenantRemedy = remedy
    .replaceAll('npx hookbell ', `npx hookbell --tenant ${name} `)
    .replaceAll(
      /npx wrangler secret put ([A-Z0-9_]+)/g,
      `put $1 into ${paths.secrets} and npx hookbell tenant deploy ${name}`,
    )
    .replaceAll(
      'npx wrangler secret put',
      `put it into ${paths.secrets} and npx hookbell tenant deploy ${name}`,
    )
    .replaceAll('npx wrangler deploy', `npx hookbell tenant deploy ${name}`)
    .replaceAll('npx wrangler rollback', `npx wrangler rollback --name ${worker}`)
    .replaceAll('under [vars] in wrangler.toml', `in ${paths.settings}`);
  return { ...check, remedy: tenantRemedy };
}
