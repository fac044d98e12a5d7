import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRelay, type Relay } from '../../scripts/relay.ts';
import { freePort } from './openapi/free-port.ts';

const SECRETS = {
  ADMIN_TOKEN: `admin-token-in-no-argv-it's-$HOME-\\$x#"`,
  GATEWAY_API_KEY: 'gateway-key-in-no-argv',
};

const folder = mkdtempSync(join(tmpdir(), 'hookbell-relay-'));
let relay: Relay;

beforeAll(async () => {
  relay = await startRelay({
    port: await freePort(),
    persistTo: join(folder, 'state'),
    logFile: join(folder, 'relay.log'),
    vars: { ...SECRETS, GATEWAY_EMAIL: 'relay@example.com', GATEWAY_BASE_URL: 'http://localhost:9/api' },
  });
}, 90_000);

afterAll(async () => {
  await relay.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Reads a file of a process under /proc; empty once the process has ended. */
function procFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

/** This process and all that it started, with what they started. */
function family(): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parentOf = new Map(
    pids.map((pid) => [pid, /^PPid:\s+(\d+)/m.exec(procFile(pid, 'status'))?.[1] ?? '']),
  );
  const isOurs = (pid: string): boolean =>
    pid === String(process.pid) || (parentOf.has(pid) && isOurs(parentOf.get(pid) ?? ''));
  return pids.filter(isOurs);
}

const config = (token: string): Promise<Response> =>
  fetch(`${relay.url}/admin/api/v1/config`, { headers: { authorization: `Bearer ${token}` } });

describe('a relay on this machine', () => {
  it.runIf(process.platform === 'linux')('has no secret in the arguments of any process', () => {
    const lines = family().map((pid) => procFile(pid, 'cmdline').replaceAll('\0', ' '));
    expect(lines.filter((line) => line.includes('wrangler'))).not.toEqual([]);
    expect(lines.filter((line) => line.includes('workerd'))).not.toEqual([]);
    for (const line of lines) for (const value of Object.values(SECRETS)) expect(line).not.toContain(value);
  });

  it('gets its secrets all the same, to the letter', async () => {
    expect((await config(SECRETS.ADMIN_TOKEN)).status).toBe(200);
    expect((await config('another-token')).status).toBe(401);
  });

  it('writes no secret into its log', () => {
    const log = readFileSync(join(folder, 'relay.log'), 'utf8');
    for (const value of Object.values(SECRETS)) expect(log).not.toContain(value);
  });
});
