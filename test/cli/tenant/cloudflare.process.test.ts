import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../../cli/built.ts';
import { derive } from '../../../cli/tenant/derive.ts';
import { runWrangler, withSecretsFile } from '../../../cli/tenant/wrangler.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { folderWith } from '../offline.ts';
import { rootConfig } from './root-config.ts';
import { startCloudflare, type Cloudflare } from './cloudflare.ts';

const temp = mkdtempSync(join(tmpdir(), 'hookbell-cloudflare-'));
afterAll(() => rmSync(temp, { recursive: true, force: true, maxRetries: 3 }));

/** Deploys a tenant by the real Wrangler to what stands in for Cloudflare. */
async function deploy(
  cloudflare: Cloudflare,
  name: string,
  secrets: ReadonlyMap<string, string>,
): ReturnType<typeof runWrangler> {
  const worker = `hookbell-${name}`;
  const derived = derive(await rootConfig(), {
    worker,
    settings: { gateway_base_url: `https://${name}.example/api`, vars: { OWN: name } },
    secrets: [...secrets.keys()],
    path: (given) => join(ROOT, given),
  });
  const files = {
    'wrangler.json': JSON.stringify(derived.ok ? derived.value : {}),
    // Values that must not reach a tenant, in all the places where Wrangler looks.
    '.env': 'WRANGLER_CI_OVERRIDE_NAME=canary\nGATEWAY_API_KEY=canary\n',
  };
  const folder = folderWith(files, join(temp, name));
  return withSecretsFile(secrets, (file) =>
    runWrangler({
      args: ['deploy', '--cwd', folder, '--config', 'wrangler.json', '--env=', '--secrets-file', file],
      env: {
        PATH: process.env['PATH'],
        HOME: temp,
        CLOUDFLARE_API_BASE_URL: cloudflare.url,
        CLOUDFLARE_API_TOKEN: 'token-of-the-tests',
        CLOUDFLARE_ACCOUNT_ID: '0123456789abcdef0123456789abcdef',
        WRANGLER_SEND_METRICS: 'false',
        GATEWAY_API_KEY: 'canary',
        CLOUDFLARE_ENV: 'canary',
      },
      target: { worker, accountId: undefined },
      secrets,
      onLine: () => undefined,
    }),
  );
}

const secretsOf = (name: string): ReadonlyMap<string, string> =>
  new Map([
    ['ADMIN_TOKEN', `${name}-token`],
    ['GATEWAY_API_KEY', `${name}-$HOME-\${PATH} "key"`],
    ['PEM', `-----BEGIN\n${name}\n-----END`],
  ]);

let cloudflare: Cloudflare;
beforeAll(async () => {
  cloudflare = await startCloudflare();
  // Again: the namespace is found by the Worker, so that no id has to be written down.
  for (const name of ['acme', 'beta', 'acme']) {
    const { exitCode, targets } = await deploy(cloudflare, name, secretsOf(name));
    expect([exitCode, targets[0]]).toEqual([0, `https://hookbell-${name}.shop.workers.dev`]);
  }
});
afterAll(() => cloudflare.close());

it('the pinned Wrangler uploads code and secrets at once, each tenant’s own and as they are written, and makes each a namespace', () => {
  expect(cloudflare.namespaces).toEqual(['hookbell-acme-config', 'hookbell-beta-config']);
  expect(cloudflare.uploads.map(({ worker }) => worker)).toEqual(
    ['acme', 'beta', 'acme'].map((name) => `hookbell-${name}`),
  );
  for (const [at, name] of ['acme', 'beta'].entries()) {
    const bindings = cloudflare.uploads[at]?.bindings ?? [];
    const ofType = (type: string) => bindings.filter((one) => one.type === type);
    expect(new Map(ofType('secret_text').map((one) => [one.name, one['text']]))).toEqual(secretsOf(name));
    expect(ofType('plain_text')).toMatchObject([
      { name: 'OWN', text: name },
      { name: 'GATEWAY_BASE_URL', text: `https://${name}.example/api` },
    ]);
    const id = String(at + 1).padStart(32, '0');
    expect(ofType('kv_namespace')).toMatchObject([{ name: 'CONFIG', namespace_id: id }]);
    // Without a `script_name` they are the Worker's own.
    const type = 'durable_object_namespace';
    expect(ofType(type)).toEqual([
      { name: 'OUTBOX', type, class_name: 'Outbox' },
      { name: 'REGISTRY', type, class_name: 'Registry' },
    ]);
  }
  expect(JSON.stringify(cloudflare.uploads)).not.toContain('canary');
  expect(JSON.stringify(cloudflare.uploads[0])).not.toContain('beta');
  expect(JSON.stringify(cloudflare.uploads[1])).not.toContain('acme');
});
