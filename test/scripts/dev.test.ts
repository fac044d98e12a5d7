import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { demoVars, DEMO_SECRETS } from '../../cli/dev/demo.ts';
import { nextSteps, postCommand, shellValue } from '../../cli/dev/next-steps.ts';
import { realPhone } from '../../cli/dev/real-phone.ts';
import { readDevVars } from '../../cli/dev/start.ts';
import { startSimulator } from '../../simulator/simulator.ts';

const SIMULATOR = 'http://127.0.0.1:8788';

/** Returns what a function makes of a folder that is gone afterwards. */
function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-test-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const name = fc.constantFrom(...Object.keys(DEMO_SECRETS), 'ADMIN_TOKEN', 'SHOP_SECRET', 'CALLS_PER_RUN');
const part = fc.constantFrom('BASE_URL', 'EMAIL', 'API_KEY', 'APP_KEY');
const ofGateway = fc
  .tuple(fc.constantFrom('', 'SALES_', 'A_B_'), part)
  .map(([account, one]) => `GATEWAY_${account}${one}`);

it('the values under npm start are the person’s wherever there is one, and then the demo signs with it', () => {
  fc.assert(
    fc.property(fc.dictionary(name, fc.string({ minLength: 1 })), (devVars) => {
      const demo = demoVars(devVars, '', SIMULATOR);
      expect(demo.vars).toMatchObject(devVars);
      expect(demo.own).toEqual(Object.keys(devVars));
      const secrets = Object.entries(DEMO_SECRETS).map(([one, value]) => [one, devVars[one] ?? value]);
      expect(demo.secrets).toEqual(Object.fromEntries(secrets));
      expect(demo.adminToken).toBe(demo.vars['ADMIN_TOKEN']);
      for (const one of demo.own) expect(demo.originOf(one)).toBe('.dev.vars');
    }),
  );
});

it('the values under npm start are the simulator’s for every gateway that the person has, so that no real phone is reached', () => {
  fc.assert(
    fc.property(fc.dictionary(ofGateway, fc.constant('real')), (devVars) => {
      const { vars, own, unused } = demoVars(devVars, '', SIMULATOR);
      expect(Object.values(vars)).not.toContain('real');
      for (const one of Object.keys(vars).filter((key) => key.endsWith('BASE_URL')))
        expect(vars[one]).toBe(`${SIMULATOR}/api`);
      expect([unused, own]).toEqual([Object.keys(devVars), []]);
    }),
  );
});

it('the values under npm start take the admin token of the environment before the one of .dev.vars, and the demo’s where there is no other', () => {
  const demo = demoVars({ ADMIN_TOKEN: 'of the file' }, 'of the environment', SIMULATOR);
  expect([demo.adminToken, demo.vars['ADMIN_TOKEN']]).toEqual(['of the environment', 'of the environment']);
  expect([demo.originOf('ADMIN_TOKEN'), demo.own]).toEqual(['environment', []]);
  const none = demoVars({}, '', SIMULATOR);
  expect(none.secrets).toEqual(DEMO_SECRETS);
  expect(['STRIPE_WEBHOOK_SECRET', 'SHOP_SECRET'].map(none.originOf)).toEqual(['demo', undefined]);
});

it('the values under npm start are read from .dev.vars as they are meant; what is empty there is not set, and the file need not be there', () => {
  inFolder((folder) => {
    const file = join(folder, '.dev.vars');
    expect(readDevVars(file)).toEqual({});
    writeFileSync(file, '# mine\nA="one two"\nB=\nC=three\n');
    expect(readDevVars(file)).toEqual({ A: 'one two', C: 'three' });
  });
});

it('a .dev.vars whose first name no reader would find is refused by its encoding, and nothing is added to it', () => {
  inFolder((folder) => {
    const file = join(folder, '.dev.vars');
    for (const [text, encoding] of [
      ['\ufeffA=b\n', 'utf8'],
      ['\ufeffA="b"\n', 'utf16le'],
      ['A=müde\n', 'latin1'],
    ] as const) {
      writeFileSync(file, text, encoding);
      expect(() => readDevVars(file)).toThrow(`${file} is not UTF-8 without a byte order mark`);
    }
  });
});

/** What `npm start` says to do next. */
const text = (over: Partial<Parameters<typeof nextSteps>[0]> = {}): string =>
  nextSteps({
    url: 'http://localhost:9999',
    phoneUrl: SIMULATOR,
    isDemo: false,
    link: 'http://localhost:9999/admin#code=x',
    sources: { shop: { provider: 'stripe', secrets: ['STRIPE_WEBHOOK_SECRET'], routes: [] } },
    demo: demoVars({}, '', SIMULATOR),
    tenant: null,
    log: '.wrangler/start.log',
    env: {},
    ...over,
  }).join('\n');

it('what npm start says to do next has commands with the relay’s address: a preview of signed webhooks, and a post where anybody may', () => {
  const commands = text().match(/^.*npx hookbell.*$/gm) ?? [];
  expect(commands.length).toBeGreaterThan(1);
  for (const line of commands) expect(line).toContain('  HOOKBELL_URL=http://localhost:9999 npx hookbell ');
  expect(text()).toContain('npx hookbell preview shop --samples');
  expect(text({ sources: { open: { verify: { scheme: 'none' } } } })).toContain('curl');
  expect(text({ tenant: 'acme' })).toContain('  npx hookbell --tenant acme init');
});

it('what npm start says to do next never has a person’s own token, only where the shell finds it', () => {
  const ofFile = text({ demo: demoVars({ ADMIN_TOKEN: 'my own' }, '', '') });
  const ofEnvironment = text({ demo: demoVars({}, 'my own', '') });
  const read = `node --env-file=.dev.vars -p 'process.env.ADMIN_TOKEN'`;
  expect(ofFile).toContain(`export HOOKBELL_TOKEN="$(${read})"`);
  expect(ofEnvironment).toContain('export HOOKBELL_TOKEN="$ADMIN_TOKEN"');
  expect(ofFile + ofEnvironment).not.toContain('my own');
});

const form = (more: object) => ({
  form: { provider: 'html-form', fields: { name: { required: true } }, routes: [], ...more },
});

const shop = (verify: object, more: object = {}) => ({
  shop: { verify, secrets: ['SHOP_TOKEN'], routes: [], ...more },
});

const URL = 'http://localhost:8787';
const MINE = 'my "own"/token #1 & more';
const token = { scheme: 'token', in: 'path' };

const command = (
  sources: Readonly<Record<string, unknown>>,
  devVars: Readonly<Record<string, string>> = { SHOP_TOKEN: MINE },
): string | null => {
  const demo = demoVars(devVars, '', SIMULATOR);
  return postCommand(URL, sources, shellValue(demo), (name) => demo.originOf(name) !== undefined);
};

/** The arguments that a shell makes of a command, in a folder with `.dev.vars`. */
const argumentsOf = (text: string | null): readonly string[] =>
  inFolder((cwd) => {
    writeFileSync(join(cwd, '.dev.vars'), `SHOP_TOKEN='${MINE}'\n`);
    const script = `curl() { printf '%s\\n' "$@"; }\n${text ?? ''}`;
    const { SHOP_TOKEN: _, ...env } = process.env;
    return execFileSync('sh', ['-c', script], { cwd, encoding: 'utf8', env }).split('\n');
  });

it('the command that posts a webhook has the secret as the shell reads it, and never prints it, unless it is the demo’s', () => {
  const encoded = encodeURIComponent(MINE);
  const rows: readonly (readonly [object, string])[] = [
    [token, `${URL}/hooks/shop/${encoded}`],
    [{ scheme: 'token', in: 'query', name: 'k&y' }, `${URL}/hooks/shop?k%26y=${encoded}`],
    [{ scheme: 'token', in: 'header', name: 'X-Key', prefix: '$a "b" ' }, `X-Key: $a "b" ${MINE}`],
    [{ scheme: 'basic' }, MINE],
    [{ scheme: 'none' }, `${URL}/hooks/shop`],
  ];
  for (const [verify, argument] of rows) {
    const text = command(shop(verify));
    expect(text).not.toContain('own');
    expect(argumentsOf(text)).toContain(argument);
  }
  const demo = command(shop(token, { secrets: ['ALERTMANAGER_TOKEN'] }));
  expect(demo).toMatch(/^curl http:\/\/localhost:8787\/hooks\/shop\/demo-alertmanager-token \\\n    -d /);
});

it('the command that posts a webhook says on which page a form is', () => {
  const origins = ['https://shop.example', 'http://localhost:8788'];
  expect(argumentsOf(command(form({ origins })))).toContain('origin: https://shop.example');
  expect(argumentsOf(command(form({})))).toContain('origin: http://localhost');
  expect(command(form({ origins: 'any' }))).not.toContain('origin');
});

it('the command that posts a webhook passes by sources that a person cannot post to', () => {
  const closed = [
    command(form({ fields: { size: { required: true } } })),
    command(shop({ scheme: 'hmac', header: 'X-Signature' })),
    command(shop({ scheme: 'token', in: 'body', path: 'token' })),
    command(shop(token, { provider: 'alertmanager' })),
    command(shop(token), {}),
    command({}),
  ];
  expect(closed).toEqual(closed.map(() => null));
  const open = { open: { verify: { scheme: 'none' }, routes: [] } };
  expect(command({ ...shop({ scheme: 'hmac' }), ...open })).toMatch(/\/hooks\/open /);
});

it('--phone gets what the simulated phone shows, and nothing that it does not show', async () => {
  const real = await startSimulator({ port: 0 });
  // A server of one's own, below whose root the stand-in is not.
  const toStandIn: typeof fetch = (_, init) => fetch(`${real.url}/makers/ntfy/`, init);
  const phone = realPhone('ntfy:https://ntfy.example/my-topic', toStandIn);
  if (!phone.ok) throw new Error(phone.error);
  const sent: Promise<string | null>[] = [];
  const simulated = await startSimulator({
    port: 0,
    onCall: (call) => void sent.push(phone.value.show(call)),
  });
  const send = (fields: Record<string, string>, path = 'send-message.php') => {
    const body = new URLSearchParams({ email: 'a@b.example', api_key: 'k', ...fields });
    return fetch(`${simulated.url}/api/${path}`, { method: 'POST', body });
  };
  await send({ phone: '4915112345678', message: 'Order *17*' });
  await send({ phone: '+49', message: 'refused by the simulator' });
  await send({ phone: '4915112345678', question: 'When?', options: 'Mon,Tue' }, 'send-poll.php');
  expect(await Promise.all(sent)).toEqual([null, null, null]);
  const calls = await fetch(`${real.url}/_control/calls`);
  expect(await calls.json()).toMatchObject({
    items: [
      { to: 'my-topic', params: { message: 'Order 17' } },
      { to: 'my-topic', params: { message: 'When?\n1. Mon\n2. Tue' } },
    ],
  });
  await Promise.all([real.close(), simulated.close()]);
});
