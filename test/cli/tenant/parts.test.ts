import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindingNames, derive, type JsonObject } from '../../../cli/tenant/derive.ts';
import { isWorkerName, readName, workerOf } from '../../../cli/tenant/name.ts';
import { parseSecrets } from '../../../cli/tenant/secrets-file.ts';
import { readSettings, type Settings } from '../../../cli/tenant/settings.ts';
import { runWrangler, withSecretsFile, wranglerEnv } from '../../../cli/tenant/wrangler.ts';
import { newFolder } from '../support.ts';
import { rootConfig } from './root-config.ts';

describe('a tenant’s name', () => {
  it.each(['acme', 'a', '1', 'acme-2', 'a--b', 'x'.repeat(54)])('may be %s', (name) => {
    expect(readName(name).ok).toBe(true);
  });

  it.each([
    '',
    '-a',
    'a-',
    'Acme',
    'a_b',
    'a.b',
    'a b',
    'ä',
    '..',
    '../x',
    'a/b',
    'a\nb',
    'x'.repeat(55),
    '__proto__',
  ])('must not be %j', (name) => expect(readName(name)).toMatchObject({ ok: false, error: { exit: 2 } }));

  it('that is taken makes a Worker’s name and stays inside its folder, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        if (!readName(name).ok) return;
        expect(isWorkerName(workerOf(name))).toBe(true);
        expect(join('tenants', name).split('/')).toEqual(['tenants', name]);
      }),
    );
  });
});

const parsed = (text: string): Record<string, string> | string => {
  const result = parseSecrets(text);
  return result.ok ? Object.fromEntries(result.value) : result.error;
};

describe('secrets.env', () => {
  it('is taken as it stands: nothing is expanded, and the shell does not win', () => {
    process.env['TENANT_TEST_SECRET'] = 'of the shell';
    const text = 'TENANT_TEST_SECRET=own\nA=$HOME ${PATH} `id`\nB="a $HOME \\" \\n b"\nC=\'$HOME \\n\'\n';
    expect(parsed(text)).toEqual({
      TENANT_TEST_SECRET: 'own',
      A: '$HOME ${PATH} `id`',
      B: 'a $HOME " \n b',
      C: '$HOME \\n',
    });
  });

  it('may have remarks, blank lines, `export`, equals signs in values, Windows lines and empty values', () => {
    expect(parsed('\ufeff# x\r\n\r\nexport A=1\r\nB = two=2== \r\nC=\r\nD="q" # why\r\n')).toEqual({
      A: '1',
      B: 'two=2==',
      D: 'q',
    });
  });

  it('may have a key of several lines in quotes', () => {
    expect(parsed('KEY="-----BEGIN\nab==\n-----END"\nB=1')).toEqual({
      KEY: '-----BEGIN\nab==\n-----END',
      B: '1',
    });
  });

  it.each([
    ['canary', 'line 1 is not NAME=value'],
    ['A=1\nlower=canary', 'line 2: a secret’s name is'],
    ['A=canary\nA=canary', 'line 2: A appears twice'],
    ['A=canary # or not', 'line 1: A contains " #"'],
    ['A="canary', 'line 1: A has a quote that is not closed'],
    ['A="canary" more', 'line 1: A has a quote that is not closed, or text after it'],
  ])('%j is an error that says where, and shows no value', (text, message) => {
    const found = parsed(text);
    expect(found).toContain(message);
    expect(found).not.toContain('canary');
  });

  it('has values of at most what Cloudflare takes', () => {
    expect(parsed(`A=${'x'.repeat(5_120)}`)).toEqual({ A: 'x'.repeat(5_120) });
    expect(parsed(`A=${'x'.repeat(5_121)}`)).toContain('line 1: A is longer than 5120 bytes');
    const many = Array.from({ length: 101 }, (_, n) => `A${n}=x`).join('\n');
    expect(parsed(many)).toContain('there are 101 secrets');
  });

  it('gives back what was written in single quotes, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 200 }).filter((value) => !/['\r]/.test(value)),
        (value) => {
          expect(parsed(`A='${value}'`)).toEqual({ A: value });
        },
      ),
    );
  });
});

const settingsErrors = (text: string): string => {
  const result = readSettings('tenant.yaml', text);
  return result.ok ? '' : [result.error.message, ...(result.error.details ?? [])].join('\n');
};

describe('tenant.yaml', () => {
  const GATEWAY = 'gateway_base_url: https://gateway.example/api\n';

  it('needs the gateway’s address and nothing else', () => {
    expect(settingsErrors(GATEWAY)).toBe('');
    expect(settingsErrors('')).toContain('gateway_base_url');
  });

  it.each([
    ['gateway_base_url: https://gateway.example/', 'ends in /api'],
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
    ['gateway_base_url: [', 'tenant.yaml:1:'],
  ])('%j is refused', (text, message) => {
    expect(settingsErrors(text)).toContain(message);
    expect(settingsErrors(text)).not.toContain('canary');
  });
});

const settings = (more: Partial<Settings> = {}): Settings => ({
  gateway_base_url: 'https://a.example/api',
  ...more,
});
const options = (worker: string, more: Partial<Settings> = {}) => ({
  worker,
  settings: settings(more),
  secrets: ['ADMIN_TOKEN'],
  path: (path: string) => `../../${path}`,
});

describe('a derived configuration', () => {
  it('is made of the root’s code and objects, and of the tenant’s own name, namespace, variables and address', async () => {
    const root = await rootConfig();
    const derived = derive(
      root,
      options('hookbell-acme', { domain: 'hooks.acme.example', vars: { X: 'own' } }),
    );
    expect(derived).toMatchObject({
      ok: true,
      value: {
        name: 'hookbell-acme',
        main: '../../dist/worker/index.js',
        no_bundle: true,
        migrations: root['migrations'],
        durable_objects: root['durable_objects'],
        vars: { X: 'own', GATEWAY_BASE_URL: 'https://a.example/api' },
        kv_namespaces: [{ binding: 'CONFIG' }],
        routes: [{ pattern: 'hooks.acme.example', custom_domain: true }],
        workers_dev: false,
        secrets: { required: ['ADMIN_TOKEN'] },
      },
    });
  });

  it('takes nothing of the root that is the root’s own: account, routes, variables, environments, secrets', async () => {
    const root: JsonObject = {
      ...(await rootConfig()),
      account_id: 'canary',
      routes: ['canary.example/*'],
      route: 'canary.example/*',
      vars: { GATEWAY_BASE_URL: 'https://canary.example/api', OTHER: 'canary' },
      env: { staging: { name: 'canary' } },
      secrets: { required: ['CANARY'] },
      kv_namespaces: [{ binding: 'CONFIG', id: 'canary', preview_id: 'canary' }],
    };
    expect(JSON.stringify(derive(root, options('hookbell-acme')))).not.toMatch(/canary/i);
  });

  it('has no cron triggers, of which an account of the free plan has five, even where the root still has one', async () => {
    const root = await rootConfig();
    expect(root).not.toHaveProperty('triggers');
    const derived = derive({ ...root, triggers: { crons: ['*/5 * * * *'] } }, options('hookbell-acme'));
    expect(derived.ok).toBe(true);
    expect(JSON.stringify(derived)).not.toMatch(/triggers|cron/);
  });

  it.each([
    ['d1_databases', [{ binding: 'DB', database_id: 'x' }]],
    ['r2_buckets', [{ binding: 'B', bucket_name: 'x' }]],
    ['queues', { producers: [{ binding: 'Q', queue: 'x' }] }],
    ['services', [{ binding: 'S', service: 'x' }]],
    ['tail_consumers', [{ service: 'x' }]],
    ['something_new', true],
  ])('is refused while the root binds `%s`, which tenants would share', async (key, value) => {
    const result = derive({ ...(await rootConfig()), [key]: value }, options('hookbell-acme'));
    expect(result).toMatchObject({ ok: false });
    expect(result.ok ? '' : result.error).toContain(`\`${key}\``);
  });

  it.each([
    { durable_objects: { bindings: [{ name: 'OUTBOX', class_name: 'Outbox', script_name: 'other' }] } },
    { kv_namespaces: [{ binding: 'CONFIG' }, { binding: 'SHARED', id: 'x' }] },
  ])('is refused when objects or namespaces would be another’s: %j', async (change) => {
    expect(derive({ ...(await rootConfig()), ...change }, options('hookbell-acme')).ok).toBe(false);
  });

  it('has nothing in common with another tenant’s but code', async () => {
    const root = await rootConfig();
    const own = (name: string): JsonObject => {
      const made = derive(
        root,
        options(`hookbell-${name}`, { domain: `${name}.example`, vars: { X: name } }),
      );
      return made.ok ? made.value : {};
    };
    const [acme, beta] = [own('acme'), own('beta')];
    for (const key of ['name', 'routes', 'vars']) expect(acme[key]).not.toEqual(beta[key]);
    expect(JSON.stringify(acme)).not.toContain('beta');
    expect(JSON.stringify(beta)).not.toContain('acme');
  });

  it('knows the names that no secret may take', async () => {
    expect(bindingNames(await rootConfig())).toEqual([
      'CONFIG',
      'OUTBOX',
      'REGISTRY',
      'ASSETS',
      'GATEWAY_BASE_URL',
    ]);
  });
});

describe('Wrangler', () => {
  const target = { worker: 'hookbell-acme', accountId: undefined };

  it('gets the way to Cloudflare out of the shell, and no secret of anybody', () => {
    const env = wranglerEnv(
      {
        PATH: '/bin',
        HOME: '/root',
        https_proxy: 'http://proxy',
        CLOUDFLARE_API_TOKEN: 'token',
        CLOUDFLARE_ACCOUNT_ID: 'of the shell',
        CLOUDFLARE_ENV: 'staging',
        WRANGLER_CI_OVERRIDE_NAME: 'hookbell-beta',
        GATEWAY_API_KEY: 'canary',
        HOOKBELL_TOKEN: 'canary',
        STRIPE_WEBHOOK_SECRET: 'canary',
      },
      target,
    );
    expect(env).toEqual({
      PATH: '/bin',
      HOME: '/root',
      https_proxy: 'http://proxy',
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: 'of the shell',
      WRANGLER_CI_OVERRIDE_NAME: 'hookbell-acme',
    });
  });

  it('works on the account that the tenant names, not on the shell’s', () => {
    expect(
      wranglerEnv({ CLOUDFLARE_ACCOUNT_ID: 'of the shell' }, { ...target, accountId: 'own' }),
    ).toMatchObject({
      CLOUDFLARE_ACCOUNT_ID: 'own',
    });
  });

  it('has every secret redacted in its output', async () => {
    const script = join(newFolder(), 'leaky.mjs');
    writeFileSync(script, "#!/usr/bin/env node\nconsole.log('x canary-1 y'); console.error('canary-2');", {
      mode: 0o755,
    });
    const lines: string[] = [];
    const { exitCode } = await runWrangler({
      args: [],
      env: { ...process.env, HOOKBELL_WRANGLER: script },
      target,
      secrets: new Map([
        ['A', 'canary-1'],
        ['B', 'canary-2'],
      ]),
      onLine: (line) => lines.push(line),
    });
    expect(exitCode).toBe(0);
    expect(lines.sort()).toEqual(['[redacted]', 'x [redacted] y']);
  });

  it('that is not there is no crash', async () => {
    const env = { HOOKBELL_WRANGLER: '/nowhere/wrangler' };
    const ran = await runWrangler({ args: [], env, target, secrets: new Map(), onLine: () => undefined });
    expect(ran).toEqual({ exitCode: null, targets: [] });
  });

  it('reads secrets from a file that is gone afterwards, also when it fails', async () => {
    let seen = '';
    await expect(
      withSecretsFile(new Map([['A', 'b']]), (file) => {
        seen = file;
        return Promise.reject(new Error('failed'));
      }),
    ).rejects.toThrow('failed');
    const { existsSync } = await import('node:fs');
    expect(seen).not.toBe('');
    expect(existsSync(seen)).toBe(false);
  });
});
