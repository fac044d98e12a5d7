import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOOK_SECRET } from '../e2e/webhook.ts';

/** The script of Node-RED in `NODE_RED_DIR`, a folder after `npm i node-red`. Null if it is not installed. */
export function nodeRedScript(): string | null {
  const script = join(process.env['NODE_RED_DIR'] ?? '', 'node_modules/node-red/red.js');
  return process.env['NODE_RED_DIR'] !== undefined && existsSync(script) ? script : null;
}

/** Verifies, parses, and hands on: the first output answers 202 at once, the second calls the gateway. */
const FUNCTION = `
const key = global.get('crypto').createHmac('sha256', '${HOOK_SECRET}').update(msg.payload).digest('hex');
const crypto = global.get('crypto');
const given = Buffer.from(String(msg.req.headers['x-signature'] ?? ''));
if (given.length !== key.length || !crypto.timingSafeEqual(given, Buffer.from(key))) {
  return [{ ...msg, statusCode: 401, payload: '' }, null];
}
const payment = JSON.parse(msg.payload.toString());
const { amount, currency, customer } = payment.data;
return [
  { req: msg.req, res: msg.res, statusCode: 202, payload: { event: payment.id } },
  {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: {
      phone: customer.phone.slice(1),
      message: 'Payment ' + payment.id + ' of ' + amount + ' ' + currency + ' from ' + customer.name,
      email: 'proof@example.com',
      api_key: 'gateway-key-of-the-proof',
    },
  },
];`;

const flow = (gatewayUrl: string): readonly object[] => [
  { id: 'tab', type: 'tab', label: 'hooks' },
  {
    id: 'in',
    z: 'tab',
    type: 'http in',
    url: '/hooks/proof',
    method: 'post',
    skipBodyParsing: true,
    wires: [['verify']],
  },
  { id: 'verify', z: 'tab', type: 'function', func: FUNCTION, outputs: 2, wires: [['answer'], ['gateway']] },
  { id: 'answer', z: 'tab', type: 'http response', wires: [] },
  {
    id: 'gateway',
    z: 'tab',
    type: 'http request',
    method: 'POST',
    ret: 'obj',
    url: `${gatewayUrl}/send-message.php`,
    persist: true,
    wires: [[]],
  },
];

/** Starts it on a port, with one flow that does what the relay is asked to do. */
export async function startNodeRed(script: string, port: number, gatewayUrl: string, folder: string) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'flows.json'), JSON.stringify(flow(gatewayUrl)));
  writeFileSync(
    join(folder, 'settings.js'),
    `module.exports = { uiHost: '127.0.0.1', flowFile: 'flows.json', credentialSecret: false, disableEditor: true,
      functionGlobalContext: { crypto: require('node:crypto') }, logging: { console: { level: 'error' } } };`,
  );
  const args = [script, '--userDir', folder, '--port', String(port)];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for (let tries = 0; ; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/hooks/proof`, { method: 'POST', body: '{}' }).catch(
      () => null,
    );
    if (answer?.status === 401) break;
    if (tries > 300 || child.exitCode !== null)
      throw new Error(`Node-RED did not start: ${answer?.status ?? 'no answer'}`);
    await sleep(100);
  }
  return {
    pid: child.pid ?? 0,
    kill: (): Promise<void> => {
      process.off('exit', killAtExit);
      child.kill('SIGKILL');
      return exited;
    },
  };
}
