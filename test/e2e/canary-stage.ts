import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bundles } from './build.ts';
import type { Trace } from './canary-search.ts';
import { startEchoGateway, startNoticeServer, type NoticeServer } from './canary-servers.ts';
import { SECRET_NAMES, secretOf } from './canary-values.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { startRelay, type Relay } from './relay.ts';

/** One request of the relay; its answer is kept as a trace. */
export type Ask = (
  /** Of the trace: what was asked, without values. */
  place: string,
  method: string,
  /** Behind the relay's address, encoded as it is to be sent. */
  path: string,
  init?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string },
) => Promise<Answered>;

/** `status` 0: there was no answer. */
export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** A relay whose every secret is a canary, and all that it talks to. */
export interface CanaryStage {
  readonly relay: Relay;
  readonly storeDir: string;
  readonly gateway: Gateway;
  readonly notices: NoticeServer;
  readonly ask: Ask;
  /** Every answer so far. */
  answers(): readonly Trace[];
}

/** Sets the stage, plays on it, stops everything and hands the stopped store over; leaves no process and no file. */
export async function onCanaryStage<Report, Findings>(
  bundles: Bundles,
  play: (stage: CanaryStage) => Promise<Report>,
  examine: (report: Report, stage: CanaryStage, emptyDir: string) => Findings,
): Promise<Findings> {
  const storeDir = mkdtempSync(join(tmpdir(), 'hookbell-canary-'));
  const copyDir = mkdtempSync(join(tmpdir(), 'hookbell-canary-copy-'));
  const [gateway, echo, notices] = await Promise.all([
    startGateway(),
    startEchoGateway(),
    startNoticeServer(),
  ]);
  let relay: Relay | null = null;
  try {
    const vars = varsFor(echo.url);
    relay = await startRelay(bundles, gateway.baseUrl, storeDir, false, { vars });
    const traces: Trace[] = [];
    const ask = askFor(relay.url, traces);
    const stage = { relay, storeDir, gateway, notices, ask, answers: () => traces };
    const report = await play(stage);
    await relay.kill();
    return examine(report, stage, copyDir);
  } finally {
    await relay?.kill();
    await Promise.all([gateway.close(), echo.close(), notices.close()]);
    for (const folder of [storeDir, copyDir]) rmSync(folder, { recursive: true });
  }
}

const varsFor = (echoUrl: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(SECRET_NAMES.map((name) => [name, secretOf(name)])),
  LOG_LEVEL: 'debug',
  GATEWAY_ODD_BASE_URL: `${echoUrl}/api`,
  // Nothing in the run makes its keys be fetched.
  ACCESS_TEAM_DOMAIN: 'canary.cloudflareaccess.com',
  ACCESS_AUD: 'the-audience-of-the-canaries',
});

/** Nobody answers while the relay is down. */
const askFor =
  (url: string, traces: Trace[]): Ask =>
  async (place, method, path, init = {}) => {
    try {
      const response = await fetch(url + path, { method, redirect: 'manual', ...init });
      const text = await response.text();
      const head = [...response.headers].map((header) => header.join(': ')).join('\n');
      traces.push({
        place: `answer ${method} ${place}`,
        text: `${response.status} ${response.statusText}\n${head}\n\n${text}`,
      });
      return { status: response.status, text };
    } catch {
      return { status: 0, text: '' };
    }
  };
