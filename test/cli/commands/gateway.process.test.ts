import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startSimulator } from '../../../simulator/simulator.ts';
import { ok } from '../../../src/lib/result.ts';
import { createClient } from '../../../cli/client.ts';
import { readReceiver } from '../../../cli/receiver.ts';
import { TOKEN, expectSays } from '../offline.ts';
import { OPEN_SET, publish, scriptGateway } from '../relay.ts';
import { expectRefused, hookbell, refused, relayUrl, shown } from '../support.ts';

beforeAll(() => publish());
afterAll(() => publish());

it('gateway check shows the request without credentials, the answer, its class and what to do', async () => {
  const sent = await shown('gateway check --to 4915112340099');
  expectSays(
    sent,
    'POST <GATEWAY_BASE_URL>/send-message.php',
    'email=<GATEWAY_EMAIL>&api_key=<GATEWAY_API_KEY>',
    'answer: 200 {"success":true',
    'outcome: sent',
  );
  await scriptGateway({ failure: 'refused', message: 'no credit', match: { phone: '4915112340098' } });
  const { code, stdout } = await hookbell('gateway check --to 4915112340098');
  expect(code).toBe(1);
  expectSays(stdout, 'outcome: refused', 'no credit', 'permanent_errors');
});

it('gateway check sends to a topic, and refuses a number there with what to do', async () => {
  await publish({ ...OPEN_SET, accounts: { alerts: { gateway: 'ntfy' } } });
  const sent = await shown('gateway check --account alerts --to shop-k3x9q2');
  expectSays(sent, 'POST https://ntfy.sh/', '"topic":"shop-k3x9q2"', 'outcome: sent');
  expect(await refused('gateway check --account alerts --to 4915112340099')).toContain('must be a topic');
});

it('gateway pair shows the chats that wrote to the bot, as people of a list, and no token', async () => {
  const simulator = await startSimulator({ port: 0 });
  onTestFinished(() => simulator.close());
  const HOOKBELL_TELEGRAM_URL = `${simulator.url}/makers/telegram`;
  const env = (GATEWAY_TELEGRAM_TOKEN: string) => ({
    env: { GATEWAY_TELEGRAM_TOKEN, HOOKBELL_TELEGRAM_URL },
  });
  const people = 'people:\n  anna: { address: { telegram: "7215550100" } }   # Anna\n';
  expect(await shown('gateway pair', env('123456789:canary_0123456789'))).toBe(people);
  const wrong = await hookbell('gateway pair', env('canary-of-no-shape'));
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('Telegram answers 404')]);
  expect(wrong.stdout + wrong.stderr).not.toContain('canary');
  await expectRefused([['gateway pair --account bot', 2, 'GATEWAY_BOT_TOKEN is not set']]);
});

/** The digits, or why there are none. */
const read = async (to: string, country?: string, url = relayUrl()): Promise<string> => {
  const receiver = await readReceiver(
    createClient(() => ok({ url, token: TOKEN })),
    to,
    country,
  );
  return receiver.ok ? receiver.value : receiver.error.message;
};

it('a receiver is the digits of a number, and its country is never guessed: those of the sources are named', async () => {
  const { open } = OPEN_SET.sources;
  await publish({ ...OPEN_SET, sources: { open, vienna: { ...open, country: 'AT' } } });
  for (const [to, country] of [
    ['4915112345678', undefined],
    ['+49 151 12345678', undefined],
    ['0049 151 12345678', undefined],
    ['0151 12345678', 'DE'],
    ['0151/12345678', 'de'],
    ['+49 151 12345678', 'AT'],
  ] as const)
    expect(await read(to, country)).toBe('4915112345678');
  expect(await read('0151 12345678')).toBe(
    '--to: 0151 12345678 has no country code: write +4915112345678, or add --country DE; +4315112345678, or add --country AT',
  );
  expect(await read('0664 1234567')).toMatch(/\+436641234567, or add --country AT$/);
  expect(await read('0151')).toMatch(/: write \+49 151 …, or add --country DE$/);
  expect(await read('0151 12345678', undefined, 'http://127.0.0.1:1')).toMatch(/has no country code/);
});
