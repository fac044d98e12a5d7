import type * as z from 'zod/mini';
import { isMap, parseDocument } from 'yaml';
import { readFileSync, existsSync, readdirSync, renameSync } from 'node:fs';
import { err, ok } from '../../src/lib/result.ts';
import { type Cli, agreed } from '../command.ts';
import { withRemedy, showChecks, summary } from '../doctor/check.ts';
import { examine, worst } from '../doctor/examine.ts';
import { failed, type CommandResult, type Failure } from '../failure.ts';
import { checkFolder, refuseUnlessGood, type CheckedFolder } from '../folder/check.ts';
import { countByKind } from '../folder/kinds.ts';
import { writeFiles } from '../folder/write.ts';
import { count } from '../text.ts';
import { chosenTenants, forEachTenant, type AllOptions } from './list.ts';
import { checkSecrets, isOpenToOthers, neededSecrets, writeDerived } from './derive.ts';
import { pastable } from '../paste.ts';
import { profileOf, asTenant, readTenant, refuseShared, type Tenant } from './store.ts';
import { readRootConfig, runWrangler, withSecretsFile } from './wrangler.ts';
import { join } from 'node:path';
import { gatewayDigits } from '../../src/lib/numbers.ts';
import { createClient, type Client } from '../client.ts';
import { batches, part } from '../relay/list.ts';
import { suppression } from '../relay/shapes.ts';
import type { Output } from '../output.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { diffSets, noteOf, showChanges, summary as changesInWords } from '../diff/documents.ts';
import { readConfig, publishSet } from '../relay/config.ts';

interface DeployOptions extends AllOptions {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly immediate?: true;
}

const STEPS = ['documents', 'secrets', 'config', 'deploy', 'publish', 'doctor'] as const;

export async function deployTenants(cli: Cli, name: string | undefined, options: DeployOptions) {
  const names = chosenTenants(name, options);
  if (!names.ok) return names;
  if (name === undefined)
    return forEachTenant(cli, names.value, options.first, async (one) => {
      const done = await deployTenant(cli, one, options);
      return done.ok ? ok(done.value.url ?? 'nothing was changed') : done;
    });
  const done = await deployTenant(cli, name, options);
  if (done.ok && cli.out.isJson) cli.out.json(done.value);
  return done.ok ? undefined : done;
}

async function deployTenant(cli: Cli, name: string, options: DeployOptions) {
  const { out } = cli;
  const tenant = readTenant(name);
  if (!tenant.ok) return tenant;
  if (!out.isJson) out.line(`${out.style('bold', name)}  Worker ${tenant.value.worker}\n`);
  const steps = startSteps(out);
  const own = asTenant(cli, tenant.value);
  const isDry = options.dryRun === true;
  const prepared = await prepare(own, tenant.value, steps);
  const go = (given: Prepared): Promise<CommandResult<string | null>> =>
    isDry ? tryOut(own, tenant.value, options, given) : carryOut(own, tenant.value, steps, options, given);
  const done = prepared.ok ? await go(prepared.value) : prepared;
  if (!done.ok) {
    const again = own.paste('tenant', 'deploy', name, ...(isDry ? ['--dry-run'] : []));
    return stoppedAt(steps, STEPS, pastable(own, done.error), again);
  }
  return ok({
    tenant: name,
    worker: tenant.value.worker,
    dry_run: isDry,
    ...(done.value !== null && { url: done.value }),
    steps: steps.done,
  });
}

/** The input of a deploy, checked before anything is changed. */
interface Prepared {
  readonly documents: CheckedFolder;
  readonly secrets: ReadonlyMap<string, string>;
  readonly file: string;
}

async function prepare({ out }: Cli, tenant: Tenant, steps: TenantSteps): Promise<CommandResult<Prepared>> {
  const config = await readRootConfig();
  if (!config.ok) return config;
  const root = config.value;
  const own = refuseShared(tenant, root);
  if (!own.ok) return own;
  const documents = await checkFolder(tenant.paths.documents);
  if (!documents.ok) return documents;
  const good = refuseUnlessGood(documents.value);
  if (!good.ok) return good;
  steps.finish('documents', `${countByKind(documents.value.documents)} in ${tenant.paths.documents}`);

  const needed = neededSecrets(documents.value.set);
  const secrets = checkSecrets(tenant, needed, root);
  if (!secrets.ok) return secrets;
  steps.finish('secrets', `${[...secrets.value.keys()].sort().join(', ')} in ${tenant.paths.secrets}`);
  if (isOpenToOthers(tenant.paths.secrets))
    out.note(`${out.styleNote('yellow', 'warning')}  others can read ${tenant.paths.secrets}: chmod 600 it`);

  const file = writeDerived(tenant, root, [...needed.keys()]);
  if (!file.ok) return file;
  steps.finish('config', file.value);
  return ok({ documents: documents.value, secrets: secrets.value, file: file.value });
}

async function carryOut(
  cli: Cli,
  tenant: Tenant,
  steps: TenantSteps,
  options: DeployOptions,
  { documents, secrets, file }: Prepared,
): Promise<CommandResult<string>> {
  const deployed = await withSecretsFile(secrets, (secretsFile) =>
    wrangler(cli, tenant, secrets, deployArgs(file, secretsFile, options)),
  );
  if (!deployed.ok) return deployed;
  const address = addressOf(tenant, deployed.value);
  if (!address.ok) return address;
  const url = address.value;
  const noted = noteUrl(tenant, url);
  if (!noted.ok) return noted;
  steps.finish('deploy', url);

  const here: Tenant = { ...tenant, settings: { ...tenant.settings, url } };
  const client = createClient(() => profileOf(here, cli.out));
  const relay = client.relay();
  if (!relay.ok) return relay;
  const answers = await untilAnswers(cli, url);
  if (!answers.ok) return answers;
  const optedOut = await putBackOptedOut(cli, client, tenant.paths.folder);
  if (!optedOut.ok) return optedOut;
  const published = await publishFolder(cli, client, documents, options.yes === true);
  if (!published.ok) return published;
  steps.finish('publish', published.value);

  const found = await examine(client, { folder: tenant.paths.documents });
  const checks = found.map((check) => withRemedy(cli, check));
  cli.out.progressDone();
  if (worst(checks) === 'fail') {
    if (!cli.out.isJson) showChecks(cli.out, checks);
    return failed(`${tenant.name} is deployed and published, but checks fail: ${summary(checks)}`);
  }
  steps.finish('doctor', summary(checks));
  const open = checks.filter(({ status }) => status !== 'ok');
  if (open.length > 0 && !cli.out.isJson) {
    cli.out.line();
    showChecks(cli.out, open);
  }
  return ok(url);
}

const deployArgs = (file: string, secretsFile: string, { immediate }: DeployOptions): readonly string[] => [
  'deploy',
  '--config',
  file,
  // The top level of the file, even if CLOUDFLARE_ENV is set.
  '--env=',
  '--secrets-file',
  secretsFile,
  ...(immediate === true ? ['--durable-objects-code-update-mode', 'immediate'] : []),
];

/** Cloudflare's code for a title that is in use: a first deploy made the namespace, and failed before the Worker. */
const TITLE_TAKEN = /\b10014\b/;

/** Runs Wrangler to deploy or delete, shows its output, and returns the addresses that it deployed to. */
export async function wrangler(
  { out, env }: Cli,
  { worker, settings, paths }: Tenant,
  secrets: ReadonlyMap<string, string>,
  args: readonly string[],
): Promise<CommandResult<readonly string[]>> {
  let isTaken = false;
  const { exitCode, targets } = await runWrangler({
    args,
    env,
    secrets,
    target: { worker, accountId: settings.account_id },
    onLine: (line) => {
      isTaken ||= args[0] === 'deploy' && TITLE_TAKEN.test(line);
      out.note(out.styleNote('dim', `  │ ${line}`));
    },
  });
  if (exitCode === 0) return ok(targets);
  if (exitCode === null) return failed('wrangler could not be started; `npm ci` installs it');
  const details = isTaken
    ? [
        `the KV namespace ${worker}-config exists already: if a deploy of this tenant created it, write its id (\`npx wrangler kv namespace list\`) into ${paths.settings} as kv_namespace_id; else delete or rename it`,
      ]
    : [];
  return failed(`wrangler ended with exit code ${exitCode}; its output is above`, { details });
}

/** The custom domain, else the address in Wrangler's output, else the one of an earlier deploy. */
function addressOf({ settings, paths }: Tenant, targets: readonly string[]): CommandResult<string> {
  if (settings.domain !== undefined) return ok(`https://${settings.domain}`);
  const address = targets.find((target) => /^https?:\/\/[^\s/]+$/.test(target)) ?? settings.url;
  return address === undefined
    ? failed(
        `deployed, but wrangler does not print the address: write the address into ${paths.settings} as \`url\``,
      )
    : ok(address);
}

/** Writes the address to the tenant's settings, and keeps the file's comments and order. */
function noteUrl({ paths, settings }: Tenant, url: string): CommandResult {
  if (settings.url === url) return ok(undefined);
  const document = parseDocument(readFileSync(paths.settings, 'utf8'));
  if (!isMap(document.contents)) return failed(`${paths.settings} is not a map`);
  document.set('url', url);
  return writeFiles({ write: [{ file: paths.settings, text: document.toString({ lineWidth: 0 }) }] });
}

/** Changes nothing: runs the checks, shows the exact commands, and builds the Worker. */
async function tryOut(
  cli: Cli,
  tenant: Tenant,
  options: DeployOptions,
  { secrets, file }: Prepared,
): Promise<CommandResult<null>> {
  const { out } = cli;
  const shown = `<${count(secrets.size, 'secret')} as JSON, in a file that only you can read and that is deleted afterwards>`;
  const commands = [
    `npx wrangler ${deployArgs(file, shown, options).join(' ')}`,
    cli.paste('push'),
    cli.paste('doctor', tenant.paths.documents),
  ];
  if (!out.isJson) {
    out.line('\nIt would run:');
    for (const command of commands) out.line(`  ${command}`);
    out.line('\nThe first one now, with --dry-run:');
  }
  const bundled = await withSecretsFile(secrets, (secretsFile) =>
    wrangler(cli, tenant, secrets, [...deployArgs(file, secretsFile, options), '--dry-run']),
  );
  if (!bundled.ok) return bundled;
  if (!out.isJson) out.line(`\n${out.style('green', '✓')} the Worker builds; nothing was changed`);
  return ok(null);
}

/** The file of an export with the receivers who have opted out, and its name once they are put back. */
export const SUPPRESSIONS = 'suppressions.jsonl';
const PUT_BACK = 'suppressions-put-back.jsonl';

/** Puts back, once, who had opted out of the relay that was exported last: before anything is published. */
async function putBackOptedOut(
  { out }: Pick<Cli, 'out'>,
  client: Client,
  folder: string,
): Promise<CommandResult> {
  const exports = readdirSync(folder).filter((name) => name.startsWith('export-'));
  const from = join(folder, exports.sort().at(-1) ?? '');
  const file = join(from, SUPPRESSIONS);
  if (!existsSync(file)) return ok(undefined);
  const receivers = readLines(file);
  if (!receivers.ok) return receivers;
  const all = receivers.value;
  let done = 0;
  for (const some of batches(all)) {
    const puts = some.map((one) => patiently(out, () => putBack(client, one)));
    for (const answer of await Promise.all(puts)) if (!answer.ok) return answer;
    out.progress(`${(done += some.length)} of ${count(all.length, 'receiver')} who had opted out …`);
  }
  renameSync(file, join(from, PUT_BACK));
  if (all.length > 0) out.note(`put back from ${from}: ${count(all.length, 'receiver')} who had opted out`);
  return ok(undefined);
}

type Receiver = z.output<typeof suppression>;

/** The oldest first, as they opted out. */
function readLines(file: string): CommandResult<readonly Receiver[]> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  try {
    return ok(lines.map((line) => suppression.parse(JSON.parse(line))).toReversed());
  } catch {
    return failed(
      `${file} is not as it was exported: each line is a receiver as JSON; mend it, or delete it`,
    );
  }
}

const putBack = (client: Client, { phone, reason }: Receiver) =>
  client.request('PUT', `/suppressions/${part(phone)}`, suppression, {
    body: { reason, ...(!gatewayDigits.test(phone) && { address: true }) },
  });

export type TenantSteps = ReturnType<typeof startSteps>;

const WIDTH = 10;

/** Steps in order. Each is shown when it is done; the first that fails ends the command. */
export function startSteps(out: Output) {
  const done: { readonly step: string; readonly detail: string }[] = [];
  return {
    done,
    finish: (step: string, detail: string): void => {
      done.push({ step, detail });
      if (!out.isJson) out.done(`${step.padEnd(WIDTH)}  ${detail}`);
    },
  };
}

/** A failure with the steps that were done and not done: a person has to know what is in force now. */
export function stoppedAt({ done }: TenantSteps, all: readonly string[], failure: Failure, again: string) {
  const finished = done.map(({ step }) => step);
  const left = all.filter((step) => !finished.includes(step));
  const details = [
    ...(failure.details ?? []),
    `done: ${finished.length === 0 ? 'nothing' : finished.join(', ')}; not done: ${left.join(', ')}`,
    `run \`${again}\` again once it is fixed; finished steps can be repeated safely`,
  ];
  return err({ ...failure, details });
}

/** A new Worker's address works within seconds; a new custom domain has to wait for a certificate. */
const ANSWERS_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 2_000;

/** The answer of a relay's `/health`; null: it does not answer in time. */
export async function healthOf(url: string, withinMs: number): Promise<Response | null> {
  const signal = AbortSignal.timeout(withinMs);
  const health = await fetch(`${url}/health`, { redirect: 'manual', signal }).catch(() => null);
  await health?.body?.cancel();
  return health;
}

async function untilAnswers({ out }: Pick<Cli, 'out'>, url: string): Promise<CommandResult> {
  const deadline = Date.now() + ANSWERS_WITHIN_MS;
  for (;;) {
    const health = await healthOf(url, 5_000);
    if (health?.ok === true) return ok(undefined);
    if (Date.now() >= deadline)
      return failed(
        `${url} does not answer yet; a new custom domain may need some minutes for its certificate`,
      );
    out.progress(`waiting for ${url} …`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** On Cloudflare, a busy object keeps the code and the secrets that it started with for up to 300 s. */
const NEW_SECRETS_WITHIN_MS = 330_000;
/** A new token is in force everywhere within seconds. */
const NEW_TOKEN_WITHIN_MS = 60_000;
const TRY_EVERY_MS = 5_000;

/** True if a refusal may only mean that the new secrets are not in force yet. */
function mayPass({ status, errors = [] }: Failure, elapsedMs: number): boolean {
  if (status === 401 || status === 403) return elapsedMs < NEW_TOKEN_WITHIN_MS;
  const isSecrets = errors.length > 0 && errors.every(({ code }) => code === 'not-set');
  return status === 422 && isSecrets && elapsedMs < NEW_SECRETS_WITHIN_MS;
}

/** Asks again as long as a refusal may mean that. */
async function patiently<T>(out: Output, ask: () => Promise<CommandResult<T>>): Promise<CommandResult<T>> {
  const startedAt = Date.now();
  for (;;) {
    const answer = await ask();
    if (answer.ok || !mayPass(answer.error, Date.now() - startedAt)) return answer;
    out.progress('waiting for the relay to get the new secrets, at most five minutes …');
    await sleep(TRY_EVERY_MS);
  }
}

async function publishFolder(
  cli: Cli,
  client: Client,
  { set }: CheckedFolder,
  isYes: boolean,
): Promise<CommandResult<string>> {
  const { out } = cli;
  const base = await patiently(out, () => readConfig(client));
  if (!base.ok) return base;
  const { version } = base.value;
  const changes = diffSets(base.value.set, set);
  if (changes.length === 0) return ok(`nothing to publish: version ${version} is the same as the folder`);
  // Somebody may have changed the relay in another way. The first publish removes nothing.
  if (version > 0) {
    if (!out.isJson) showChanges(out, changes);
    const may = await agreed(cli, `Publish ${changesInWords(changes)}?`, isYes, 'nothing was published');
    if (!may.ok) return may;
  }
  const done = await patiently(out, () => publishSet(client, set, version, cli, { note: noteOf(changes) }));
  return done.ok ? ok(`version ${done.value.version} published: ${changesInWords(changes)}`) : done;
}
