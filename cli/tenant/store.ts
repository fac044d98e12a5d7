import { SECRET_NAME } from '../../src/lib/secret.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { existsSync, readdirSync } from 'node:fs';
import { suggest } from '../../src/lib/suggest.ts';
import { failed, type CommandResult, misused } from '../failure.ts';
import { readFile } from '../folder/read.ts';
import { pathsOf, readName, TENANTS, workerOf, type Paths } from './paths.ts';
import { readClaims, readSettings, type Settings } from './settings.ts';
import type { JsonObject } from './wrangler.ts';
import type { Output } from '../output.ts';
import { readProfile, type Profile } from '../client.ts';
import type { Env } from '../io.ts';
import { pasting, programName } from '../paste.ts';
import { placeOfTenant } from '../place.ts';

/** Cloudflare's limits for one Worker, in secrets and in bytes for each. */
const MAX_SECRETS = 100;
const MAX_VALUE_BYTES = 5_120;

/** `NAME=value`, `export NAME=…` and quotes as in shells. Nothing is expanded. */
const LINE = /^(?:export[ \t]+)?([^=\s]+)[ \t]*=[ \t]*(.*)$/s;

/**
 * Reads `secrets.env`. Wrangler could read such a file itself, but it would expand variables (`$HOME`), and prefer a
 * variable of the shell to the file: one tenant's secret, exported in the shell, would become another's. An error names
 * line and secret, never a value.
 */
export function parseSecrets(text: string): Result<ReadonlyMap<string, string>, string> {
  const secrets = new Map<string, string>();
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const first = lines[at]?.trim() ?? '';
    if (first === '' || first.startsWith('#')) continue;
    const number = at + 1;
    const [, name = '', rest = ''] = LINE.exec(first) ?? [];
    if (name === '') return err(`line ${number} is not NAME=value`);
    if (!SECRET_NAME.test(name))
      return err(`line ${number}: a secret’s name is capital letters, digits and _`);
    if (secrets.has(name)) return err(`line ${number}: ${name} appears twice`);
    let raw = rest;
    // A PEM key has several lines inside quotes.
    while (isOpen(raw) && at + 1 < lines.length) raw = `${raw}\n${lines[(at += 1)] ?? ''}`;
    const value = readValue(raw.trim());
    if (!value.ok) return err(`line ${number}: ${name} ${value.error}`);
    if (new TextEncoder().encode(value.value).byteLength > MAX_VALUE_BYTES)
      return err(`line ${number}: ${name} is longer than ${MAX_VALUE_BYTES} bytes, Cloudflare’s limit`);
    if (value.value !== '') secrets.set(name, value.value);
  }
  if (secrets.size > MAX_SECRETS)
    return err(`there are ${secrets.size} secrets; Cloudflare allows ${MAX_SECRETS}`);
  return ok(secrets);
}

const QUOTED = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')[ \t]*(?:#.*)?$/s;

const isOpen = (raw: string): boolean => /^["']/.test(raw) && !QUOTED.test(raw.trimEnd());

function readValue(raw: string): Result<string, string> {
  if (!/^["']/.test(raw)) {
    // It may be part of the secret or a comment. Both are common.
    return / #/.test(raw)
      ? err('contains " #": put the value in quotes, or the comment on a separate line')
      : ok(raw);
  }
  const match = QUOTED.exec(raw);
  if (match === null) return err('has a quote that is not closed, or text after it');
  const [, double, single] = match;
  return ok(single ?? (double ?? '').replaceAll(/\\(.)/gs, (_, escaped: string) => unescape(escaped)));
}

const unescape = (escaped: string): string => (escaped === 'n' ? '\n' : escaped === 't' ? '\t' : escaped);

export interface Tenant {
  readonly name: string;
  readonly worker: string;
  readonly paths: Paths;
  readonly settings: Settings;
}

export const tenantNames = (): readonly string[] =>
  existsSync(TENANTS)
    ? readdirSync(TENANTS, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && existsSync(pathsOf(entry.name).settings))
        .map(({ name }) => name)
        .sort()
    : [];

export function readTenant(name: string): CommandResult<Tenant> {
  const checked = readName(name);
  if (!checked.ok) return checked;
  const paths = pathsOf(name);
  if (!existsSync(paths.settings)) return noTenant(name);
  const text = readFile(paths.settings);
  if (!text.ok) return text;
  const settings = readSettings(paths.settings, text.value);
  if (!settings.ok) return settings;
  return ok({ name, paths, settings: settings.value, worker: settings.value.worker ?? workerOf(name) });
}

export function noTenant(name: string) {
  const names = tenantNames();
  const close = suggest(name, names);
  const hint =
    close !== null
      ? `did you mean \`${close}\`?`
      : names.length === 0
        ? `\`hookbell tenant add ${name}\` creates it`
        : `there are ${names.slice(0, 12).join(', ')}`;
  return failed(`there is no tenant ${name} in ${TENANTS}; ${hint}`);
}

/**
 * Fails when `tenant` has something in common with another tenant that two tenants must not share. Without `root`, the
 * `wrangler.toml`, as in a check, a tenant whose file cannot be read is left to its own check.
 */
export function refuseShared(tenant: Tenant, root?: JsonObject): CommandResult {
  const taken = (what: string, by: string) =>
    failed(`${tenant.paths.settings}: ${what} belongs to ${by}, and tenants share nothing: choose another`);
  if (tenant.worker === root?.['name']) return taken(`the Worker ${tenant.worker}`, 'wrangler.toml');
  for (const name of tenantNames()) {
    if (name === tenant.name) continue;
    const text = readFile(pathsOf(name).settings);
    const other = text.ok ? readClaims(text.value) : null;
    if (other === null) {
      // Another tenant whose file cannot be read may use the same, so this fails.
      const unread = readTenant(name);
      if (root !== undefined && !unread.ok) return unread;
      continue;
    }
    if ((other.worker ?? workerOf(name)) === tenant.worker) return taken(`the Worker ${tenant.worker}`, name);
    for (const key of ['domain', 'kv_namespace_id', 'url'] as const)
      if (other[key] !== undefined && other[key] === tenant.settings[key])
        return taken(`the ${key} ${other[key]}`, name);
  }
  return ok(undefined);
}

/** Reads a tenant's secrets, only from its own file. */
export function readSecrets({ name, paths }: Tenant): CommandResult<ReadonlyMap<string, string>> {
  if (!existsSync(paths.secrets))
    return failed(
      `${paths.secrets} is missing; copy ${paths.secretsExample} and fill it in (it stays out of git)`,
    );
  const text = readFile(paths.secrets);
  if (!text.ok) return text;
  const secrets = parseSecrets(text.value);
  return secrets.ok
    ? secrets
    : err({ exit: 1, message: `${paths.secrets}: ${secrets.error}; nothing of ${name} was changed` });
}

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
export const asTenant = <Some extends { readonly env: Env }>(cli: Some, tenant: Tenant) => ({
  ...cli,
  ...pasting({ program: programName(cli.env), tenant: tenant.name }, placeOfTenant(tenant)),
  tenant: ok(tenant),
});
