import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../cli/dev/workerd/workerd.ts';
import { clockOffset } from '../clock/shift.ts';
import { lookUntil } from '../eventually.ts';
import { PATIENCE_MS } from './real-time.ts';

const PROGRAM = 'prometheus-alertmanager';

/** The alert manager as Debian packages it, in front of one webhook. */
export interface Alertmanager {
  /** Posts alerts as Prometheus does. `endsAt`: they have ended; null: they fire. */
  post(instances: readonly string[], endsAt: Date | null): Promise<void>;
  kill(): Promise<void>;
}

/** True if this machine has it: `.ci/run` installs it. */
export function isInstalled(): boolean {
  try {
    execFileSync(PROGRAM, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(`${PROGRAM} is not installed: the test of a real Alertmanager is skipped\n`);
    return false;
  }
}

/** It waits shortly, and says when alerts end; all other settings are its own. */
const configuration = (url: string, token: string): string => `
route:
  receiver: relay
  group_by: [alertname]
  group_wait: 1s
  group_interval: 1s
receivers:
  - name: relay
    webhook_configs:
      - url: ${url}
        send_resolved: true
        http_config: { authorization: { credentials: ${token} } }
`;

/** Starts one in `folder`, with a store of its own and no cluster. */
export async function startAlertmanager(folder: string, url: string, token: string): Promise<Alertmanager> {
  mkdirSync(folder, { recursive: true });
  const configFile = join(folder, 'alertmanager.yml');
  writeFileSync(configFile, configuration(url, token));
  const logFile = join(folder, 'alertmanager.log');
  const output = openSync(logFile, 'a');
  const port = await freePort();
  const args = [
    `--config.file=${configFile}`,
    `--storage.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
  ];
  const child = spawn(PROGRAM, args, { stdio: ['ignore', output, output] });
  closeSync(output);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const api = `http://127.0.0.1:${port}`;
  const kill = (): Promise<void> => {
    process.off('exit', killAtExit);
    child.kill('SIGKILL');
    return exited;
  };
  const isReady = async (): Promise<boolean> => {
    const answer = await fetch(`${api}/-/ready`).catch(() => null);
    return answer?.ok === true;
  };
  if (!(await lookUntil(isReady, Boolean, { withinMs: PATIENCE_MS, eachMs: 50 }))) {
    await kill();
    throw new Error(`${PROGRAM} did not start: ${readFileSync(logFile, 'utf8').slice(-2_000)}`);
  }
  return {
    kill,
    post: async (instances, endsAt) => {
      const body = JSON.stringify(
        instances.map((instance) => ({
          labels: { alertname: 'InstanceDown', severity: 'critical', instance },
          annotations: { summary: `${instance} does not answer` },
          // Its clock is the real one.
          ...(endsAt !== null && { endsAt: new Date(endsAt.getTime() - clockOffset()).toISOString() }),
        })),
      );
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${api}/api/v2/alerts`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`${PROGRAM}: ${answer.status} ${await answer.text()}`);
    },
  };
}
