import { setTimeout as sleep } from 'node:timers/promises';
import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { agreed, type Cli } from '../command.ts';
import { diffSets } from '../diff/documents.ts';
import { noteOf, showChanges, summary } from '../diff/show.ts';
import { failed, type Failure, type CommandResult } from '../failure.ts';
import type { CheckedFolder } from '../folder/check.ts';
import { readConfig, publishSet } from '../relay/config.ts';

/** A new Worker's address works within seconds; a new custom domain has to wait for a certificate. */
const ANSWERS_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 2_000;

export async function untilAnswers({ out }: Pick<Cli, 'out'>, url: string): Promise<CommandResult> {
  const deadline = Date.now() + ANSWERS_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${url}/health`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(5_000),
    }).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok === true) return ok(undefined);
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
export async function patiently<T>(
  out: Cli['out'],
  ask: () => Promise<CommandResult<T>>,
): Promise<CommandResult<T>> {
  const startedAt = Date.now();
  for (;;) {
    const answer = await ask();
    if (answer.ok || !mayPass(answer.error, Date.now() - startedAt)) return answer;
    out.progress('waiting for the relay to get the new secrets, at most five minutes …');
    await sleep(TRY_EVERY_MS);
  }
}

export async function publishFolder(
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
    const may = await agreed(cli, `Publish ${summary(changes)}?`, isYes, 'nothing was published');
    if (!may.ok) return may;
  }
  const done = await patiently(out, () => publishSet(client, set, version, cli, { note: noteOf(changes) }));
  return done.ok ? ok(`version ${done.value.version} published: ${summary(changes)}`) : done;
}
