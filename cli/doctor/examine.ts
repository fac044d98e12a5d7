import * as z from 'zod/mini';
import { outsideTitle } from '../../shared/doctor/outside.ts';
import type { Client } from '../client.ts';
import type { Failure, CommandResult } from '../failure.ts';
import { readConfig } from '../relay/config.ts';
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
import { packageChangelog, packageVersion } from './changes.ts';

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
    {
      id: 'token',
      status: 'ok',
      title: outsideTitle('token'),
      code: 'token-accepted',
      detail: 'is accepted',
    },
    versionCheck(data, { version, changelog: packageChangelog() }),
    ...newestCheck(newest, version),
    clockCheck(data, outside.now()),
    ...devVarsChecks(from.url, '.'),
    ...(isViewer && probe ? [NOT_CALLED] : []),
    ...data.checks,
    ...(config.ok ? await hookChecks(from, Object.keys(config.value.set.sources)) : [unread(config)]),
    ...(folder === undefined || !config.ok
      ? []
      : isViewer
        ? [NOT_COMPARED]
        : await folderChecks(folder, config.value.set)),
  ];
}

const session = z.object({ role: z.string() });

/** What a viewer's role does not allow. */
const NOT_CALLED: CheckResult = {
  id: 'gateway',
  status: 'unknown',
  title: 'Gateway',
  code: 'not-called',
  detail: 'was not called: this token is a viewer’s, and that needs the role operator',
};
const NOT_COMPARED: CheckResult = {
  id: 'folder',
  status: 'unknown',
  title: outsideTitle('folder'),
  code: 'not-compared',
  detail: 'was not compared: this token is a viewer’s, for whom numbers are masked',
};

const refused = ({ status, message }: Failure): CheckResult =>
  status === 404
    ? {
        id: 'version',
        status: 'fail',
        title: outsideTitle('version'),
        code: 'no-doctor',
        detail: 'the relay has no doctor: it is older than this command line',
        remedy: 'npx wrangler deploy',
      }
    : {
        id: 'token',
        status: 'fail',
        title: status === 401 || status === 403 ? outsideTitle('token') : 'Admin API',
        code: 'admin-api-refuses',
        detail: message,
      };

const unread = (config: Extract<CommandResult<unknown>, { ok: false }>): CheckResult => ({
  id: 'hooks',
  status: 'unknown',
  title: outsideTitle('hooks'),
  code: 'not-read',
  detail: config.error.message,
});

export function worst(checks: readonly CheckResult[]): CheckResult['status'] {
  for (const status of ['fail', 'warn', 'unknown'] as const)
    if (checks.some((check) => check.status === status)) return status;
  return 'ok';
}
