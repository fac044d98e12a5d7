import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { DEFAULT_PER_RECIPIENT, DEFAULT_RATE } from '../../src/config/documents/account-defaults.ts';
import { isBaseUrl } from '../../src/config/secrets/gateway.ts';
import { type ConfigSet, EMPTY_SET } from '../../src/config/documents/schema.ts';
import { ok } from '../../src/lib/result.ts';
import type { Cli } from '../command.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import type { NewFile } from '../init/changes.ts';
import { isFolder, readFolder } from '../folder/read.ts';
import { writeFiles } from '../folder/write.ts';
import { pathsOf, readName, TENANTS, workerOf, type Paths } from './paths.ts';
import { neededSecrets } from './derive.ts';
import { asTenant, type Tenant } from './store.ts';
import { readSettings } from './settings.ts';

interface AddOptions {
  readonly from?: string;
  readonly gateway?: string;
  readonly domain?: string;
}

export async function addTenantFiles(cli: Cli, name: string, options: AddOptions) {
  const checked = readName(name);
  if (!checked.ok) return checked;
  const paths = pathsOf(name);
  if (existsSync(paths.folder)) return failed(`${paths.folder} exists already`);
  const gateway = await gatewayOf(cli, options.gateway);
  if (!gateway.ok) return gateway;
  const text = settingsText(name, gateway.value, options.domain);
  const settings = readSettings(paths.settings, text);
  if (!settings.ok) return settings;
  const documents = documentsFrom(options.from, paths);
  if (!documents.ok) return documents;

  const needed = neededSecrets(documents.value.set);
  const files = [
    { file: paths.settings, text },
    ...documents.value.files,
    { file: paths.secretsExample, text: secretsText(name, needed, '') },
  ];
  const written = writeFiles({ write: files });
  if (!written.ok) return written;
  const token = randomBytes(32).toString('base64url');
  // Not with the others: those are readable by all, and are first written under another name.
  writeFileSync(paths.secrets, secretsText(name, needed, token), { mode: 0o600, flag: 'wx' });
  const { from } = options;
  if (from !== undefined && isFolder(join(from, 'fixtures')))
    cpSync(join(from, 'fixtures'), join(paths.documents, 'fixtures'), { recursive: true });
  const names = [...files.map(({ file }) => file), paths.secrets];
  const secrets = [...needed.keys()];
  const worker = settings.value.worker ?? workerOf(name);
  const tenant: Tenant = { name, paths, settings: settings.value, worker };
  const hasSource = Object.keys(documents.value.set.sources).length > 0;
  const next = nextSteps(asTenant(cli, tenant), tenant, secrets, hasSource);
  const commands = next.flatMap(([, command]) => command ?? []);
  const { out } = cli;
  return out.show({ tenant: name, worker, files: names, secrets, next: commands }, () => {
    for (const file of names) out.done(file);
    out.line(`\n${out.style('bold', 'Next')}`);
    for (const [what, command] of next) {
      out.line(`  ${command ?? what}`);
      if (command !== undefined) out.line(out.style('dim', `      ${what}`));
    }
  });
}

/** Asks for the address if it is not given: nothing can be sent without it. */
async function gatewayOf({ ask }: Cli, given: string | undefined): Promise<CommandResult<string>> {
  const wrong =
    'the gateway’s base address is http(s) and ends in /api, such as https://gateway.example/api, which will do where no account uses a v2 gateway';
  if (given !== undefined) return isBaseUrl(given) ? ok(given) : misused(`--gateway: ${wrong}`);
  if (ask === null) return misused(`give --gateway: ${wrong}`);
  return ask.text({
    message: 'The base address of this tenant’s gateway, such as https://gateway.example/api',
    check: (answer) => (isBaseUrl(answer) ? undefined : wrong),
  });
}

const settingsText = (name: string, gateway: string, domain: string | undefined): string =>
  `# Tenant ${name}: its settings, without secrets. \`npx hookbell tenant deploy ${name}\` applies them.

# Where its messages are sent.
gateway_base_url: ${gateway}

# A host name of a zone in the same Cloudflare account, instead of ${workerOf(name)}.my-name.workers.dev.
${domain === undefined ? '# domain: hooks.example.com' : `domain: ${domain}`}

# More, if needed:
# worker: ${workerOf(name)}                  # the Worker's name
# account_id: 0123456789abcdef0123456789abcdef    # the Cloudflare account, if you have several
# vars: { GATEWAY_SALES_BASE_URL: https://gateway.example/api }
`;

const ACCOUNT = `# How fast the gateway login may send. These are the defaults; see docs/configuration.md.
rate: { per_minute: ${DEFAULT_RATE.perMinute}, burst: ${DEFAULT_RATE.burst} }
per_recipient: { per_hour: ${DEFAULT_PER_RECIPIENT.perHour} }
`;

/** The first documents: those of a folder, or only the account. */
function documentsFrom(
  from: string | undefined,
  { documents: to }: Paths,
): CommandResult<{ readonly set: ConfigSet; readonly files: readonly NewFile[] }> {
  if (from === undefined)
    return ok({ set: EMPTY_SET, files: [{ file: join(to, 'accounts', 'default.yaml'), text: ACCOUNT }] });
  const folder = readFolder(from);
  if (!folder.ok) return folder;
  const tenants = resolve(TENANTS);
  if (existsSync(tenants) && realpathSync(from).startsWith(realpathSync(tenants) + sep))
    return misused(
      `${from} is another tenant’s, and tenants share nothing: its lists and samples are private; keep common documents in a separate folder`,
    );
  const files = folder.value.documents.map(({ kind, file }) => ({
    file: join(to, kind, basename(file)),
    text: readFileSync(file, 'utf8'),
  }));
  return ok({ set: folder.value.set, files });
}

function secretsText(name: string, needed: ReadonlyMap<string, readonly string[]>, token: string): string {
  const lines = [...needed].map(([secret, usedBy]) =>
    secret === 'ADMIN_TOKEN'
      ? `# The key to the admin API${token === '' ? ', a random text: openssl rand -base64 32' : ', generated'}.\n${secret}=${token}`
      : `# For ${usedBy.join(', ')}.\n${secret}=`,
  );
  return `# Secrets of tenant ${name}, NAME=value. Values are used as they are written; quote those with # or several lines.\n# Never commit secrets.env.\n\n${lines.join('\n')}\n`;
}

/** A person's steps after `tenant add`, in this order, each with its command, if it has one. None reaches another relay. */
function nextSteps(
  { paste }: Cli,
  { name, paths }: Tenant,
  secrets: readonly string[],
  hasSource: boolean,
): readonly (readonly [what: string, command?: string])[] {
  const open = secrets.filter((secret) => secret !== 'ADMIN_TOKEN');
  return [
    ...(hasSource ? [] : [[`a first source, in ${paths.documents}`, paste('init')] as const]),
    ['checks its documents, offline', paste('check')],
    [`fill in ${paths.secrets}: ${open.join(', ')}`],
    ['checks everything, changes nothing', paste('tenant', 'deploy', name, '--dry-run')],
    ['creates its relay, and publishes its documents there', paste('tenant', 'deploy', name)],
  ];
}
