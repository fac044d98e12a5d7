import { afterAll, describe, expect, it } from 'vitest';
import { startSimulator } from '../../../simulator/simulator.ts';
import { hookbell, phoneUrl, publish, OPEN_SET } from '../support.ts';

afterAll(() => publish());

describe('hookbell gateway check', () => {
  it('shows the request without credentials, the answer, its class and what to do', async () => {
    const run = await hookbell(['gateway', 'check', '--to', '4915112340099']);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('POST <GATEWAY_BASE_URL>/send-message.php');
    expect(run.stdout).toContain('email=<GATEWAY_EMAIL>&api_key=<GATEWAY_API_KEY>');
    expect(run.stdout).toContain('answer: 200 {"success":true');
    expect(run.stdout).toContain('outcome: sent');
  });

  it('of a gateway that refuses says so, and what can be set', async () => {
    const steps = [{ failure: 'refused', message: 'no credit', match: { phone: '4915112340098' } }];
    await fetch(`${phoneUrl()}/_control/script`, { method: 'PUT', body: JSON.stringify({ steps }) });
    const run = await hookbell(['gateway', 'check', '--to', '4915112340098']);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('outcome: refused');
    expect(run.stdout).toContain('no credit');
    expect(run.stdout).toContain('permanent_errors');
  });

  it('sends to a topic, and refuses a number there with what to do', async () => {
    await publish({ ...OPEN_SET, accounts: { alerts: { gateway: 'ntfy' } } });
    const sent = await hookbell(['gateway', 'check', '--account', 'alerts', '--to', 'shop-k3x9q2']);
    expect(sent.stdout).toContain('POST https://ntfy.sh/');
    expect(sent.stdout).toContain('"topic":"shop-k3x9q2"');
    expect(sent.stdout).toContain('outcome: sent');
    const refused = await hookbell(['gateway', 'check', '--account', 'alerts', '--to', '4915112340099']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('must be a topic');
  });
});

const env = (url: string, token: string) => ({ GATEWAY_TELEGRAM_TOKEN: token, HOOKBELL_TELEGRAM_URL: url });

describe('hookbell gateway pair', () => {
  it('shows the chats that wrote to the bot, as people of a list', async () => {
    const simulator = await startSimulator({ port: 0 });
    const url = `${simulator.url}/makers/telegram`;
    const run = await hookbell(['gateway', 'pair'], { env: env(url, '123456789:canary_0123456789') });
    expect(run.stdout).toBe('people:\n  anna: { address: { telegram: "7215550100" } }   # Anna\n');
    const wrong = await hookbell(['gateway', 'pair'], { env: env(url, 'canary-of-no-shape') });
    expect(wrong.code).toBe(1);
    expect(wrong.stdout + wrong.stderr).toContain('Telegram answers 404');
    expect(wrong.stdout + wrong.stderr).not.toContain('canary');
    await simulator.close();
  });

  it('names the variable when there is no token', async () => {
    const run = await hookbell(['gateway', 'pair', '--account', 'bot']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('GATEWAY_BOT_TOKEN is not set');
  });
});
