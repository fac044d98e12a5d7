import * as z from 'zod/mini';
import { compareVersions, outsideTitle, ownClockCheck } from '../../shared/doctor/outside.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { DOCTOR_AGENT } from '../../src/lib/version.ts';
import { isRepository } from '../built.ts';
import { diffSets } from '../diff/documents.ts';
import { checkFolder } from '../folder/check.ts';
import { explainError } from '../relay/explain.ts';
import { isThisMachine } from '../relay/profile.ts';
import { count, quoted } from '../text.ts';
import { changesBetween } from './changes.ts';
import type { CheckResult, DoctorReport } from './check.ts';
import { maybeJson, ownValue } from '../../src/lib/json.ts';

/** The surroundings of the checks from outside. Times in ms. */
export interface Outside {
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly now: () => number;
}

const TIMEOUT_MS = 10_000;
/** A registry that is slow is not worth waiting for. */
const REGISTRY_TIMEOUT_MS = 3_000;
/** The addresses that are checked at once. */
const AT_ONCE = 8;

export async function reachCheck({ url, fetch, now }: Outside): Promise<CheckResult> {
  const found = { id: 'relay', title: outsideTitle('relay') };
  const startedAt = now();
  try {
    const response = await fetch(`${url}/health`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const took = `answers in ${Math.round(now() - startedAt)} ms`;
    if (!isHealth(response, text))
      return {
        ...found,
        status: 'fail',
        code: 'not-hookbell',
        detail: `something answers ${response.status} there, but it is not hookbell’s /health`,
        remedy: 'Check the address, and that nothing is in front of /health',
      };
    if (url.startsWith('https:'))
      return { ...found, status: 'ok', code: 'relay-answers', detail: `${took} over TLS` };
    return isThisMachine(url)
      ? { ...found, status: 'ok', code: 'relay-answers', detail: `${took}, on this machine` }
      : {
          ...found,
          status: 'warn',
          code: 'relay-plain',
          detail: `${took}, without TLS: others can read tokens on the network`,
          remedy: 'Use https',
        };
  } catch (thrown) {
    return {
      ...found,
      status: 'fail',
      code: 'relay-unreachable',
      detail: explainError(url, thrown, TIMEOUT_MS).error.message,
    };
  }
}

const isHealth = (response: Response, text: string): boolean =>
  response.ok && ownValue(maybeJson(text), 'status') === 'ok';

export const clockCheck = ({ now: theirs }: Pick<DoctorReport, 'now'>, ours: number): CheckResult =>
  ownClockCheck(theirs, ours);

/** This hookbell, and what its changelog says. */
interface OwnVersion {
  readonly version: string;
  readonly changelog: string;
}

/** The maximum number of changes that a check names. */
const NAMED_CHANGES = 5;

/** Checks whether the relay and this command line are the same version, and says what an older relay lacks. */
export function versionCheck({ version }: Pick<DoctorReport, 'version'>, own: OwnVersion): CheckResult {
  const found = { id: 'version', title: outsideTitle('version') };
  const age = compareVersions(version, own.version);
  if (age === 0)
    return { ...found, status: 'ok', code: 'version-same', detail: `${own.version}, on both sides` };
  if (age > 0)
    return {
      ...found,
      status: 'warn',
      code: 'relay-newer',
      detail: `the relay is ${version}, this command line is ${own.version}`,
      remedy: isRepository()
        ? `Use version ${version} of the command line`
        : `npm install hookbell@${version}, the relay’s version`,
    };
  const changes = changesBetween(own.changelog, version, own.version);
  const shown = changes.slice(0, NAMED_CHANGES).join('; ');
  const more = changes.length > NAMED_CHANGES ? `; and ${changes.length - NAMED_CHANGES} more` : '';
  return {
    ...found,
    status: 'warn',
    code: 'relay-older',
    detail: `the relay is ${version}, older than this hookbell, ${own.version}${shown === '' ? '' : `. New since then: ${shown}${more}`}`,
    remedy: 'npx wrangler deploy',
  };
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

export const newestCheck = (newest: string | null, own: string): readonly CheckResult[] =>
  newest === null || compareVersions(newest, own) <= 0
    ? []
    : [
        {
          id: 'newest',
          title: outsideTitle('newest'),
          status: 'warn',
          code: 'newer-release',
          detail: `hookbell ${newest} is out; this is ${own}`,
          remedy: 'npm install hookbell@latest, then npm run check and npm run deploy',
        },
      ];

/**
 * Checks whether each source answers at its address. Uses a method that no webhook and no handshake has: a source that exists
 * answers 405, and by this name nothing is recorded.
 */
export async function hookChecks(
  { url, fetch }: Outside,
  sources: readonly string[],
): Promise<readonly CheckResult[]> {
  const bad: CheckResult[] = [];
  for (let at = 0; at < sources.length; at += AT_ONCE) {
    const checks = await Promise.all(sources.slice(at, at + AT_ONCE).map((id) => hookCheck(url, id, fetch)));
    bad.push(...checks.filter((one) => one !== null));
  }
  if (sources.length === 0 || bad.length > 0) return bad;
  return [
    {
      id: 'hooks',
      status: 'ok',
      title: outsideTitle('hooks'),
      code: 'hooks-answer',
      detail: `${count(sources.length, 'source')} answered at /hooks/…`,
    },
  ];
}

async function hookCheck(url: string, id: string, fetch: Outside['fetch']): Promise<CheckResult | null> {
  const found = { id: `hook:${id}`, title: outsideTitle('hooks'), status: 'fail' } as const;
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
    if (status === 404)
      return {
        ...found,
        code: 'hook-missing',
        detail: `there is no /hooks/${id}`,
        remedy:
          'This is normal within a minute of a push. Otherwise check that the address leads to this relay',
      };
    return {
      ...found,
      code: 'hook-blocked',
      detail: `/hooks/${id} answers ${status}, which is not hookbell’s answer`,
      remedy:
        'Something in front of /hooks blocks senders: Cloudflare Access and the like must let this path through',
    };
  } catch (thrown) {
    return {
      ...found,
      code: 'hook-unreachable',
      detail: explainError(url, thrown, TIMEOUT_MS).error.message,
    };
  }
}

/** Checks whether a folder has no errors, and is what the relay has in force. */
export async function folderChecks(folder: string, inForce: ConfigSet): Promise<readonly CheckResult[]> {
  const found = { id: 'folder', title: outsideTitle('folder') };
  const local = await checkFolder(folder, { fixtures: false });
  if (!local.ok)
    return [{ ...found, status: 'fail', code: 'folder-unreadable', detail: local.error.message }];
  const { errors, set } = local.value;
  if (errors.length > 0)
    return [
      {
        ...found,
        status: 'fail',
        code: 'folder-wrong',
        detail: `${folder} has ${count(errors.length, 'error')}`,
        remedy: `npx hookbell check ${quoted(folder)}`,
      },
    ];
  const changes = diffSets(inForce, set);
  return changes.length === 0
    ? [{ ...found, status: 'ok', code: 'folder-same', detail: `${folder} is the same as the active version` }]
    : [
        {
          ...found,
          status: 'warn',
          code: 'folder-differs',
          detail: `${count(changes.length, 'document')} of ${folder} ${changes.length === 1 ? 'differs' : 'differ'} from the active version`,
          remedy: `npx hookbell diff ${quoted(folder)}, then npx hookbell push ${quoted(folder)} or npx hookbell pull ${quoted(folder)}`,
        },
      ];
}
