import * as z from 'zod/mini';
import { compareVersions, ownClockCheck } from '../../shared/doctor/outside.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { maybeJson, ownValue } from '../../src/lib/json.ts';
import { DOCTOR_AGENT } from '../../src/lib/version.ts';
import { isRepository } from '../built.ts';
import { type Client, explainError, isThisMachine } from '../client.ts';
import { diffSets } from '../diff/documents.ts';
import type { Failure } from '../failure.ts';
import { checkFolder } from '../folder/check.ts';
import { readConfig } from '../relay/config.ts';
import { batches } from '../relay/list.ts';
import { session } from '../relay/shapes.ts';
import { count, quoted } from '../text.ts';
import { changesBetween, packageChangelog, packageVersion } from './changes.ts';
import { outsideCheck, report, type CheckResult, type DoctorReport } from './check.ts';
import { devVarsChecks } from './dev-vars.ts';

interface ExamineOptions {
  /** Documents to compare with what is in force. */
  readonly folder?: string | undefined;
  /** False: the gateway is not called. */
  readonly probe?: boolean;
  /** The address of npm's registry, which is asked for the newest hookbell; null: it is not asked. */
  readonly registry?: string | null;
}

/** The surroundings of the checks from outside. Times in ms. */
interface Outside {
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly now: () => number;
}

const TIMEOUT_MS = 10_000;
/** A registry that is slow is not worth waiting for. */
const REGISTRY_TIMEOUT_MS = 3_000;

/** All checks of a relay, from outside and by itself, in the order in which a person would fix them. */
export async function examine(
  client: Client,
  { folder, probe = true, registry = null }: ExamineOptions,
  outside: Omit<Outside, 'url'> = { fetch, now: Date.now },
): Promise<readonly CheckResult[]> {
  const from = { ...outside, url: client.url };
  const reached = await reachCheck(from);
  if (reached.status === 'fail') return [reached];
  const login = await client.get('/session', session);
  const isViewer = login.ok && login.value.data.role === 'viewer';
  const inside = await (probe && !isViewer ? client.post('/doctor', report) : client.get('/doctor', report));
  if (!inside.ok) return [reached, refused(inside.error)];
  const { data } = inside.value;
  const version = packageVersion();
  const config = await readConfig(client);
  const newest = registry === null ? null : await newestVersion(from, registry);
  return [
    reached,
    outsideCheck('token', 'ok', 'token-accepted', 'is accepted'),
    versionCheck(data, { version, changelog: packageChangelog() }),
    ...newestCheck(newest, version),
    ownClockCheck(data.now, outside.now()),
    ...devVarsChecks(from.url, '.'),
    ...(isViewer && probe ? [NOT_CALLED] : []),
    ...data.checks,
    ...(config.ok
      ? await hookChecks(from, Object.keys(config.value.set.sources))
      : [outsideCheck('hooks', 'unknown', 'not-read', config.error.message)]),
    ...(folder === undefined || !config.ok
      ? []
      : isViewer
        ? [NOT_COMPARED]
        : [await folderCheck(folder, config.value.set)]),
  ];
}

/** What a viewer's role does not allow. */
const NOT_CALLED: CheckResult = {
  id: 'gateway',
  status: 'unknown',
  title: 'Gateway',
  code: 'not-called',
  detail: 'was not called: this token is a viewer’s, and that needs the role operator',
};
const NOT_COMPARED = outsideCheck(
  'folder',
  'unknown',
  'not-compared',
  'was not compared: this token is a viewer’s, for whom numbers are masked',
);

function refused({ status, message }: Failure): CheckResult {
  if (status === 404) {
    const detail = 'the relay has no doctor: it is older than this command line';
    return outsideCheck('version', 'fail', 'no-doctor', detail, 'npx wrangler deploy');
  }
  const check = outsideCheck('token', 'fail', 'admin-api-refuses', message);
  return status === 401 || status === 403 ? check : { ...check, title: 'Admin API' };
}

export function worst(checks: readonly CheckResult[]): CheckResult['status'] {
  for (const status of ['fail', 'warn', 'unknown'] as const)
    if (checks.some((check) => check.status === status)) return status;
  return 'ok';
}

export async function reachCheck({ url, fetch, now }: Outside): Promise<CheckResult> {
  const startedAt = now();
  try {
    const response = await fetch(`${url}/health`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const took = `answers in ${Math.round(now() - startedAt)} ms`;
    if (!response.ok || ownValue(maybeJson(text), 'status') !== 'ok')
      return outsideCheck(
        'relay',
        'fail',
        'not-hookbell',
        `something answers ${response.status} there, but it is not hookbell’s /health`,
        'Check the address, and that nothing is in front of /health',
      );
    if (url.startsWith('https:')) return outsideCheck('relay', 'ok', 'relay-answers', `${took} over TLS`);
    if (isThisMachine(url)) return outsideCheck('relay', 'ok', 'relay-answers', `${took}, on this machine`);
    const detail = `${took}, without TLS: others can read tokens on the network`;
    return outsideCheck('relay', 'warn', 'relay-plain', detail, 'Use https');
  } catch (thrown) {
    const why = explainError(url, thrown, TIMEOUT_MS).error.message;
    return outsideCheck('relay', 'fail', 'relay-unreachable', why);
  }
}

const NAMED_CHANGES = 5;

/** Checks whether the relay and this command line are the same version, and says what an older relay lacks. */
export function versionCheck(
  { version }: Pick<DoctorReport, 'version'>,
  own: { readonly version: string; readonly changelog: string },
): CheckResult {
  const age = compareVersions(version, own.version);
  if (age === 0) return outsideCheck('version', 'ok', 'version-same', `${own.version}, on both sides`);
  if (age > 0)
    return outsideCheck(
      'version',
      'warn',
      'relay-newer',
      `the relay is ${version}, this command line is ${own.version}`,
      isRepository()
        ? `Use version ${version} of the command line`
        : `npm install hookbell@${version}, the relay’s version`,
    );
  const changes = changesBetween(own.changelog, version, own.version);
  const shown = changes.slice(0, NAMED_CHANGES).join('; ');
  const more = changes.length > NAMED_CHANGES ? `; and ${changes.length - NAMED_CHANGES} more` : '';
  const detail = `the relay is ${version}, older than this hookbell, ${own.version}${shown === '' ? '' : `. New since then: ${shown}${more}`}`;
  return outsideCheck('version', 'warn', 'relay-older', detail, 'npx wrangler deploy');
}

const latest = z.object({ version: z.string() });

/** The newest hookbell that npm has; null: npm does not answer. */
export async function newestVersion(
  { fetch }: Pick<Outside, 'fetch'>,
  registry: string,
): Promise<string | null> {
  try {
    const response = await fetch(`${registry.replace(/\/$/, '')}/hookbell/latest`, {
      signal: AbortSignal.timeout(REGISTRY_TIMEOUT_MS),
    });
    return latest.parse(await response.json()).version;
  } catch {
    return null;
  }
}

export function newestCheck(newest: string | null, own: string): readonly CheckResult[] {
  if (newest === null || compareVersions(newest, own) <= 0) return [];
  const remedy = 'npm install hookbell@latest, then npm run check and npm run deploy';
  return [
    outsideCheck('newest', 'warn', 'newer-release', `hookbell ${newest} is out; this is ${own}`, remedy),
  ];
}

/**
 * Checks whether each source answers at its address. Uses a method that no webhook and no handshake has: a source that exists
 * answers 405, and by this name nothing is recorded.
 */
export async function hookChecks(
  { url, fetch }: Outside,
  sources: readonly string[],
): Promise<readonly CheckResult[]> {
  const bad: CheckResult[] = [];
  for (const some of batches(sources)) {
    const checks = await Promise.all(some.map((id) => hookCheck(url, id, fetch)));
    bad.push(...checks.filter((one) => one !== null));
  }
  if (sources.length === 0 || bad.length > 0) return bad;
  return [
    outsideCheck('hooks', 'ok', 'hooks-answer', `${count(sources.length, 'source')} answered at /hooks/…`),
  ];
}

async function hookCheck(url: string, id: string, fetch: Outside['fetch']): Promise<CheckResult | null> {
  const failing = (code: string, detail: string, remedy?: string): CheckResult => ({
    ...outsideCheck('hooks', 'fail', code, detail, remedy),
    id: `hook:${id}`,
  });
  try {
    const response = await fetch(`${url}/hooks/${id}`, {
      method: 'PATCH',
      headers: { 'user-agent': DOCTOR_AGENT },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    const { status } = response;
    if (status === 405) return null;
    return status === 404
      ? failing(
          'hook-missing',
          `there is no /hooks/${id}`,
          'This is normal within a minute of a push. Otherwise check that the address leads to this relay',
        )
      : failing(
          'hook-blocked',
          `/hooks/${id} answers ${status}, which is not hookbell’s answer`,
          'Something in front of /hooks blocks senders: Cloudflare Access and the like must let this path through',
        );
  } catch (thrown) {
    return failing('hook-unreachable', explainError(url, thrown, TIMEOUT_MS).error.message);
  }
}

async function folderCheck(folder: string, inForce: ConfigSet): Promise<CheckResult> {
  const local = await checkFolder(folder, { fixtures: false });
  if (!local.ok) return outsideCheck('folder', 'fail', 'folder-unreadable', local.error.message);
  const { errors, set } = local.value;
  const name = quoted(folder);
  if (errors.length > 0) {
    const detail = `${folder} has ${count(errors.length, 'error')}`;
    return outsideCheck('folder', 'fail', 'folder-wrong', detail, `npx hookbell check ${name}`);
  }
  const { length } = diffSets(inForce, set);
  if (length === 0)
    return outsideCheck('folder', 'ok', 'folder-same', `${folder} is the same as the active version`);
  const detail = `${count(length, 'document')} of ${folder} ${length === 1 ? 'differs' : 'differ'} from the active version`;
  const remedy = `npx hookbell diff ${name}, then npx hookbell push ${name} or npx hookbell pull ${name}`;
  return outsideCheck('folder', 'warn', 'folder-differs', detail, remedy);
}
