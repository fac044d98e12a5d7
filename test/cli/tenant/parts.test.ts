import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { derive } from '../../../cli/tenant/derive.ts';
import { isWorkerName, pathsOf, readName, workerOf } from '../../../cli/tenant/paths.ts';
import { parseSecrets, readSecrets } from '../../../cli/tenant/store.ts';
import { readSettings, type Settings } from '../../../cli/tenant/settings.ts';
import { runWrangler, withSecretsFile, wranglerEnv, type JsonObject } from '../../../cli/tenant/wrangler.ts';
import { newFolder } from '../offline.ts';
import { rootConfig } from './root-config.ts';

it('a tenant’s name makes a Worker’s name, and stays inside its folder', () => {
  const long = 'x'.repeat(54);
  for (const name of ['acme', 'a', '1', 'acme-2', 'a--b', long])
    expect([name, readName(name).ok]).toEqual([name, true]);
  for (const name of ['', ...'-a a- Acme a_b a.b ä .. ../x a/b __proto__'.split(' '), 'a\nb', `${long}x`])
    expect([name, readName(name)]).toMatchObject([name, { ok: false, error: { exit: 2 } }]);
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9A-Z._/-]{1,56}$/), (name) => {
      if (!readName(name).ok) return;
      expect(isWorkerName(workerOf(name))).toBe(true);
      expect(join('tenants', name).split('/')).toEqual(['tenants', name]);
    }),
  );
});

const parsed = (text: string): Record<string, string> | string => {
  const result = parseSecrets(text);
  return result.ok ? Object.fromEntries(result.value) : result.error;
};

it('secrets.env is taken as it stands: nothing is expanded, and the shell does not win', () => {
  process.env['TENANT_TEST_SECRET'] = 'of the shell';
  const text = 'TENANT_TEST_SECRET=own\nA=$HOME ${PATH} `id`\nB="a $HOME \\" \\n b"\nC=\'$HOME \\n\'\n';
  expect(parsed(text)).toEqual({
    TENANT_TEST_SECRET: 'own',
    A: '$HOME ${PATH} `id`',
    B: 'a $HOME " \n b',
    C: '$HOME \\n',
  });
});

it('secrets.env may have remarks, blank lines, `export`, equals signs, Windows lines, empty values, and keys of several lines', () => {
  const text = '# x\r\n\r\nexport A=1\r\nB = two=2== \r\nC=\r\nD="q" # why\r\n';
  expect(parsed(text)).toEqual({ A: '1', B: 'two=2==', D: 'q' });
  const KEY = '-----BEGIN\nab==\n-----END';
  expect(parsed(`KEY="${KEY}"\nB=1`)).toEqual({ KEY, B: '1' });
  expect(parsed(`A=${'x'.repeat(5_120)}`)).toEqual({ A: 'x'.repeat(5_120) });
});

it('secrets.env in another encoding is refused, since a secret would lose letters; a byte order mark is none of its letters', () => {
  const file = join(newFolder(), 'secrets.env');
  const paths = { ...pathsOf('acme'), secrets: file };
  const read = () => readSecrets({ name: 'acme', worker: 'acme', paths, settings: { gateway_base_url: '' } });
  writeFileSync(file, 'A=müde', 'latin1');
  expect(read()).toMatchObject({
    ok: false,
    error: { message: `${file} is not UTF-8: save it in that encoding` },
  });
  writeFileSync(file, '\ufeffA=müde');
  expect(read()).toEqual({ ok: true, value: new Map([['A', 'müde']]) });
});

it('secrets.env with an error says where, and shows no value', () => {
  for (const [text, why] of [
    ['canary', 'line 1 is not NAME=value'],
    ['A=1\nlower=canary', 'line 2: a secret’s name is'],
    ['A=canary\nA=canary', 'line 2: A appears twice'],
    ['A=canary # or not', 'line 1: A contains " #"'],
    ['A="canary', 'line 1: A has a quote that is not closed'],
    ['A="canary" more', 'line 1: A has a quote that is not closed, or text after it'],
    [`A=${'x'.repeat(5_121)}`, 'line 1: A is longer than 5120 bytes'],
    [Array.from({ length: 101 }, (_, n) => `A${n}=x`).join('\n'), 'there are 101 secrets'],
  ] as const) {
    expect(parsed(text)).toContain(why);
    expect(parsed(text)).not.toContain('canary');
  }
});

it('secrets.env gives back what was written in single quotes, whatever it is', () => {
  const value = fc.string({ minLength: 1, maxLength: 200 }).filter((text) => !/['\r]/.test(text));
  fc.assert(
    fc.property(value, (text) => {
      expect(parsed(`A='${text}'`)).toEqual({ A: text });
    }),
  );
});

const errorsOf = (text: string): string => {
  const result = readSettings('tenant.yaml', text);
  return result.ok ? '' : [result.error.message, ...(result.error.details ?? [])].join('\n');
};

it('tenant.yaml needs the gateway’s address and nothing else, and shows no secret that stands there by mistake', () => {
  const GATEWAY = 'gateway_base_url: https://gateway.example/api\n';
  expect(errorsOf(GATEWAY)).toBe('');
  for (const [text, why] of [
    ['', 'gateway_base_url'],
    ['gateway_base_url: https://gateway.example/', 'ends in /api'],
    ['gateway_base_url: [', 'tenant.yaml:1:'],
    [`${GATEWAY}worker: My_Worker`, 'worker must be'],
    [`${GATEWAY}domain: https://x.example`, 'domain must be a host name'],
    [`${GATEWAY}account_id: abc`, 'account_id must be'],
    [`${GATEWAY}kv_namespace_id: abc`, 'kv_namespace_id must be'],
    [`${GATEWAY}domian: hooks.acme.example`, 'did you mean `domain`?'],
    [`${GATEWAY}vars: { GATEWAY_API_KEY: canary }`, 'vars.GATEWAY_API_KEY looks like a secret'],
    [`${GATEWAY}vars: { ADMIN_TOKEN_NEXT: canary }`, 'vars.ADMIN_TOKEN_NEXT looks like a secret'],
    [`${GATEWAY}vars: { GATEWAY_BASE_URL: x }`, 'is set by `gateway_base_url`'],
    [`${GATEWAY}vars: { a: x }`, 'must be capital letters'],
    [`${GATEWAY}vars: { A: 1 }`, 'must be text'],
  ] as const) {
    expect(errorsOf(text)).toContain(why);
    expect(errorsOf(text)).not.toContain('canary');
  }
});

const root = await rootConfig();
const derived = (changes: JsonObject = {}, name = 'acme', more: Partial<Settings> = {}) =>
  derive(
    { ...root, ...changes },
    {
      worker: `hookbell-${name}`,
      settings: { gateway_base_url: 'https://a.example/api', ...more },
      secrets: ['ADMIN_TOKEN'],
      path: (path: string) => `../../${path}`,
    },
  );

it('a derived configuration has the root’s code and the tenant’s own address, and nothing of the root’s own, nor of another tenant', () => {
  const { main, migrations } = { main: '../../dist/worker/index.js', migrations: root['migrations'] };
  const routes = [{ pattern: 'hooks.acme.example', custom_domain: true }];
  const value = { main, migrations, no_bundle: true, routes, workers_dev: false };
  expect(derived({}, 'acme', { domain: 'hooks.acme.example' })).toMatchObject({ ok: true, value });
  const changes: JsonObject = {
    account_id: 'canary',
    triggers: { crons: ['canary'] },
    routes: ['canary.example/*'],
    route: 'canary.example/*',
    vars: { GATEWAY_BASE_URL: 'https://canary.example/api', OTHER: 'canary' },
    env: { staging: { name: 'canary' } },
    secrets: { required: ['CANARY'] },
    kv_namespaces: [{ binding: 'CONFIG', id: 'canary', preview_id: 'canary' }],
  };
  expect(JSON.stringify(derived(changes))).toMatch(/^(?!.*(canary|cron)).*"ok":true/i);
  const own = (name: string) =>
    JSON.stringify(derived({}, name, { domain: `${name}.example`, vars: { X: name } }));
  expect(own('acme').replaceAll('acme', 'beta')).toBe(own('beta'));
});

it('a derived configuration is refused while the root binds what tenants would share', () => {
  for (const key of 'd1_databases r2_buckets queues services tail_consumers something_new'.split(' ')) {
    const error = expect.stringContaining(`\`${key}\``) as unknown;
    expect(derived({ [key]: [{ binding: 'X' }] })).toMatchObject({ error });
  }
  const object = { name: 'OUTBOX', class_name: 'Outbox', script_name: 'other' };
  expect(derived({ durable_objects: { bindings: [object] } }).ok).toBe(false);
  const shared = [{ binding: 'CONFIG' }, { binding: 'SHARED', id: 'x' }];
  expect(derived({ kv_namespaces: shared }).ok).toBe(false);
});

it('Wrangler gets the way to Cloudflare out of the shell, the account of the tenant, and no secret of anybody', () => {
  const target = { worker: 'hookbell-acme', accountId: undefined };
  const way = { PATH: '/bin', HOME: '/root', https_proxy: 'http://proxy', CLOUDFLARE_API_TOKEN: 'token' };
  const shell = { ...way, CLOUDFLARE_ACCOUNT_ID: 'of the shell' };
  const others = { CLOUDFLARE_ENV: 'staging', WRANGLER_CI_OVERRIDE_NAME: 'hookbell-beta' };
  const secrets = { GATEWAY_API_KEY: 'canary', HOOKBELL_TOKEN: 'canary', STRIPE_WEBHOOK_SECRET: 'canary' };
  const env = wranglerEnv({ ...shell, ...others, ...secrets }, target);
  expect(env).toEqual({ ...shell, WRANGLER_CI_OVERRIDE_NAME: 'hookbell-acme' });
  const own = wranglerEnv(shell, { ...target, accountId: 'own' });
  expect(own).toMatchObject({ CLOUDFLARE_ACCOUNT_ID: 'own' });
});

it('Wrangler reads secrets from a file that is gone afterwards, also when it fails', async () => {
  let seen = '';
  const failing = withSecretsFile(new Map([['A', 'b']]), (file) => {
    seen = file;
    expect(existsSync(file)).toBe(true);
    return Promise.reject(new Error('failed'));
  });
  await expect(failing).rejects.toThrow('failed');
  expect(existsSync(seen)).toBe(false);
});

it('Wrangler that is not there is no crash', async () => {
  const target = { worker: 'hookbell-acme', accountId: undefined };
  const env = { ...process.env, HOOKBELL_WRANGLER: '/nowhere/wrangler' };
  const run = { args: [], env, target, secrets: new Map<string, string>(), onLine: () => undefined };
  expect(await runWrangler(run)).toEqual({ exitCode: null, targets: [] });
});
