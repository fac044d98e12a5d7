import type { Check } from './check.ts';

/** A check with a remedy for a relay on this machine, where Wrangler's commands would change a deployed one. */
export function forThisMachine(check: Check): Check {
  const { remedy } = check;
  if (remedy?.includes('npx wrangler secret put') !== true) return check;
  const named = remedy
    .replaceAll(/npx wrangler secret put ([A-Z0-9_]+)/g, '$1="…" in .dev.vars')
    .replaceAll('npx wrangler secret put', 'in .dev.vars');
  return { ...check, remedy: `${named}. A start reads .dev.vars: restart the relay` };
}
