import { outsideTitle } from '../../shared/doctor/outside.ts';
import type { Client } from '../client.ts';
import type { Failure, CommandResult } from '../failure.ts';
import { readConfig } from '../relay/config.ts';
import { reportRelease } from '../relay/release.ts';
import { report, type CheckResult } from './check.ts';
import { devVarsChecks } from './dev-vars.ts';
import {
  clockCheck,
  folderChecks,
  hookChecks,
  newestCheck,
  newestVersion,
  reachCheck,
  versionCheck,
  type Outside,
} from './outside.ts';
import { packageChangelog, packageVersion } from './package-version.ts';

interface ExamineOptions {
  /** Documents to compare with what is in force. */
  readonly folder?: string | undefined;
  /** False: the gateway is not called. */
  readonly probe?: boolean;
  /** The address of npm's registry, which is asked for the newest hookbell; null: it is not asked. */
  readonly registry?: string | null;
}

/** All checks of a relay, from outside and by itself, in the order in which a person would fix them. */
export async function examine(
  client: Client,
  { folder, probe = true, registry = null }: ExamineOptions,
  outside: Omit<Outside, 'url'> = { fetch, now: Date.now },
): Promise<readonly CheckResult[]> {
  const from = { ...outside, url: client.profile.url };
  const reached = await reachCheck(from);
  if (reached.status === 'fail') return [reached];
  const inside = await (probe ? client.post('/doctor', report) : client.get('/doctor', report));
  if (!inside.ok) return [reached, refused(inside.error)];
  const { data } = inside.value;
  const version = packageVersion();
  const config = await readConfig(client);
  const newest = registry === null ? null : await newestVersion(from, registry);
  await reportRelease(client, newest);
  return [
    reached,
    { id: 'token', status: 'ok', title: outsideTitle('token'), detail: 'is accepted' },
    versionCheck(data, { version, changelog: packageChangelog() }),
    ...newestCheck(newest, version),
    clockCheck(data, outside.now()),
    ...devVarsChecks(from.url, '.'),
    ...data.checks,
    ...(config.ok ? await hookChecks(from, Object.keys(config.value.set.sources)) : [unread(config)]),
    ...(config.ok && folder !== undefined ? await folderChecks(folder, config.value.set) : []),
  ];
}

const refused = ({ status, message }: Failure): CheckResult =>
  status === 404
    ? {
        id: 'version',
        status: 'fail',
        title: outsideTitle('version'),
        detail: 'the relay has no doctor: it is older than this command line',
        remedy: 'npx wrangler deploy',
      }
    : {
        id: 'token',
        status: 'fail',
        title: status === 401 || status === 403 ? outsideTitle('token') : 'Admin API',
        detail: message,
      };

const unread = (config: Extract<CommandResult<unknown>, { ok: false }>): CheckResult => ({
  id: 'hooks',
  status: 'unknown',
  title: outsideTitle('hooks'),
  detail: config.error.message,
});

/** The worst status of all checks. */
export function worst(checks: readonly CheckResult[]): CheckResult['status'] {
  for (const status of ['fail', 'warn', 'unknown'] as const)
    if (checks.some((check) => check.status === status)) return status;
  return 'ok';
}
