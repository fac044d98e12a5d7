import { startCommand } from './built.ts';
import { isThisMachine } from './client.ts';
import { pathsOf } from './tenant/paths.ts';

const START = startCommand();

/** The place where a relay runs. Its secrets and settings are there, too. */
export type RelayPlace =
  | { readonly at: 'here' }
  | { readonly at: 'cloudflare' }
  | { readonly at: 'tenant'; readonly name: string; readonly worker: string };

export const placeAt = (url: string): RelayPlace => ({ at: isThisMachine(url) ? 'here' : 'cloudflare' });

/** The place of a tenant's relay, deployed or not. */
export const placeOfTenant = ({
  name,
  worker,
}: Omit<Extract<RelayPlace, { at: 'tenant' }>, 'at'>): RelayPlace => ({ at: 'tenant', name, worker });

/** The steps that set a secret, one text each: a person types or does them. */
export function secretSteps(place: RelayPlace, name: string): readonly string[] {
  switch (place.at) {
    case 'here':
      return [`add a line to .dev.vars:  ${name}="…"`, `then stop \`${START}\` and start it again`];
    case 'tenant':
      return [`add a line to ${pathsOf(place.name).secrets}:  ${name}=…`];
    case 'cloudflare':
      return [`npx wrangler secret put ${name}`];
  }
}

const SECRET_PUT = /(with )?(`?)(?:npx )?wrangler secret put(?: ([A-Z][A-Z0-9_]*))?\2/g;

/** The relay's words for setting a gateway's login again. */
const LOGIN = /Set the login again \(npx wrangler secret put (\w+), npx wrangler secret put (\w+)\)/;
const LOGIN_HERE = `With \`${START}\`, the login goes to the simulator: turn off the failure that you set there (with another gateway, set $1 and $2 in .dev.vars)`;

/**
 * A text of a relay with what to do where that relay runs. A relay knows nothing of that: it speaks of Wrangler and of
 * `wrangler.toml`, which here would change nothing, and for a tenant another Worker.
 */
export function forPlace(place: RelayPlace, text: string): string {
  if (place.at === 'cloudflare') return text;
  const withLogin = place.at === 'here' ? text.replace(LOGIN, LOGIN_HERE) : text;
  const [file, run, again] =
    place.at === 'here'
      ? ['.dev.vars', '', `restart \`${START}\``]
      : [pathsOf(place.name).secrets, 'run ', `\`hookbell tenant deploy ${place.name}\``];
  const withSecrets = withLogin.replaceAll(
    SECRET_PUT,
    (_, by: string | undefined, _quote, name: string | undefined) =>
      by === undefined
        ? `put ${name ?? 'it'} into ${file} and ${run}${again}`
        : `as a line ${name ?? 'NAME'}=… in ${file} (then ${again})`,
  );
  if (place.at === 'here')
    return withSecrets
      .replaceAll('npx wrangler deploy', again)
      .replaceAll(/under \[vars\] in wrangler\.toml(?:, and deploy)?/g, `in ${file}, and ${again}`);
  // Its address and token come from its own files.
  const { settings, secrets } = pathsOf(place.name);
  return withSecrets
    .replaceAll(/--url or HOOKBELL_URL/g, settings)
    .replaceAll('HOOKBELL_TOKEN', secrets)
    .replaceAll('npx wrangler deploy', `npx hookbell tenant deploy ${place.name}`)
    .replaceAll('npx wrangler rollback', `npx wrangler rollback --name ${place.worker}`)
    .replaceAll('under [vars] in wrangler.toml', `in ${settings}`);
}
