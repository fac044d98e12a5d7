import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { packageVersion } from '../../cli/doctor/changes.ts';
import { ROOT, TOKEN, expectSays } from './offline.ts';
import { admin, failingGateway, post, publish } from './relay.ts';
import { hookbell, relayUrl } from './support.ts';
import { newRepository, secretsOf, SOURCE } from './tenant/support.ts';

let repository: ReturnType<typeof newRepository>;
beforeEach(() => {
  repository = newRepository(hookbell);
});

const DEPLOY = 'tenant deploy acme';
const SETTINGS = 'tenants/acme/tenant.yaml';

const changed = (name: string, line: string): string =>
  secretsOf('canary').replace(new RegExp(`^${name}=.*$`, 'm'), line);

describe('tenant deploy', () => {
  beforeEach(async () => {
    await publish({ sources: {}, templates: {}, recipients: {}, accounts: {} });
    await repository.add('acme', 'acme-canary');
    repository.plan({ target: relayUrl(), says: ['Uploaded hookbell-acme'] });
  });

  it('deploys code and all secrets at once, publishes, and has the doctor look; and can be run again', async () => {
    const { code, stdout, stderr } = await repository.run(`${DEPLOY} --yes`);
    expect([code, stderr]).toEqual([0, expect.stringContaining('│ Uploaded hookbell-acme')]);
    expect(stdout).toMatch(/✓ documents .*\n✓ secrets .*\n✓ config .*\n✓ deploy .*\n/);
    expect(stdout).toMatch(/✓ publish +version \d+ published/);
    expect(stdout).toMatch(/✓ doctor +\d+ checks/);
    const [call, ...more] = repository.calls();
    expect(more).toEqual([]);
    const config = ['--config', '.wrangler/tenants/acme.json', '--env='];
    expect(call).toMatchObject({
      args: ['deploy', ...config, '--secrets-file', expect.any(String)],
      mode: '600',
      config: {
        name: 'hookbell-acme',
        kv_namespaces: [{ binding: 'CONFIG' }],
        vars: { GATEWAY_BASE_URL: 'https://acme-gateway.example/api' },
        secrets: { required: ['ADMIN_TOKEN', 'CONTACT_FORM_TOKEN', 'GATEWAY_API_KEY', 'GATEWAY_EMAIL'] },
      },
      secrets: { ADMIN_TOKEN: TOKEN, GATEWAY_API_KEY: 'acme-canary-$HOME-key' },
    });
    expect(existsSync(call?.secretsFile ?? '')).toBe(false);
    const settings = repository.read(SETTINGS);
    expectSays(settings, `url: ${relayUrl()}`, '# Where its messages are sent.');
    expect(await repository.shown(`${DEPLOY} --yes`)).toContain('nothing to publish');
    expect(repository.read(SETTINGS)).toBe(settings);
    // What is published is taken away only with a yes.
    repository.write('tenants/acme/hookbell/recipients/new.yaml', "numbers: ['4915112345678']\n");
    expect(await repository.refused(DEPLOY)).toContain('use --yes');
  });

  it('shows no secret, and leaves none in a file but its own', async () => {
    repository.plan({ target: relayUrl(), says: ['oops: acme-canary-$HOME-key', 'acme-canary-form!'] });
    const { code, stdout, stderr } = await repository.run(`${DEPLOY} --yes --json`);
    expect([code, stderr]).toEqual([0, expect.stringContaining('oops: [redacted]')]);
    expect(stderr).toContain('[redacted]!');
    for (const secret of ['acme-canary', TOKEN]) expect(stdout + stderr).not.toContain(secret);
    const left = readdirSync(repository.folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && !one.parentPath.endsWith('/bin'))
      .filter((one) => readFileSync(join(one.parentPath, one.name), 'utf8').includes('acme-canary'));
    expect(left.map(({ name }) => name)).toEqual(['secrets.env']);
  });

  it('is refused when two tenants would share something', async () => {
    await repository.add('beta', 'beta-canary');
    for (const [line, why] of [
      ['worker: hookbell-acme', 'the Worker hookbell-acme belongs to acme'],
      ['worker: hookbell', 'the Worker hookbell belongs to wrangler.toml'],
      ['domain: hooks.acme.example', 'the domain hooks.acme.example belongs to acme'],
      [`kv_namespace_id: ${'a1'.repeat(16)}`, `the kv_namespace_id ${'a1'.repeat(16)} belongs to acme`],
    ] as const) {
      const own = `gateway_base_url: https://a.example/api\n${line}\n`;
      repository.write(SETTINGS, own.replace('worker: hookbell\n', ''));
      repository.write('tenants/beta/tenant.yaml', own);
      expect(await repository.refused('tenant deploy beta --yes')).toContain(why);
    }
    expect(repository.calls()).toEqual([]);
  });

  it('of all goes on after one that fails, and ends with a table; after a `--first` that fails, nobody follows', async () => {
    for (const name of ['beta', 'gamma']) await repository.add(name, 'canary');
    repository.write('tenants/beta/hookbell/sources/form.yaml', SOURCE.replace('secrets', 'secretz'));
    const rows = /^acme +ok .*\n^beta +failed +1 error.*\n^gamma +ok /m;
    for (const [args, found] of [
      ['check --all', rows],
      ['deploy --all --yes', rows],
      [
        'deploy --all --yes --first beta',
        /^beta +failed .*\n^acme +not tried +since beta failed\n^gamma +not tried/m,
      ],
    ] as const) {
      const { code, stdout, stderr } = await repository.run(`tenant ${args}`);
      expect([code, stdout, stderr]).toEqual([
        1,
        expect.stringMatching(found),
        expect.stringContaining('1 tenant failed: beta'),
      ]);
    }
    expect(repository.calls().map(({ config }) => config.name)).toEqual(['hookbell-acme', 'hookbell-gamma']);
    // Wrong settings of one are no reason to leave the others as they are.
    repository.write('tenants/gamma/tenant.yaml', 'gateway_base_url: https://gamma.example/api\n');
    repository.write('tenants/beta/tenant.yaml', 'gateway_base_url: nowhere\n');
    const { stdout } = await repository.run('tenant deploy --all --yes --first acme');
    expect(stdout).toMatch(
      /^acme +ok .*\n^beta +failed +tenants\/beta\/tenant.yaml has errors\n^gamma +ok /m,
    );
    repository.write('tenants/beta/tenant.yaml', 'worker: hookbell-acme\n');
    expect(await repository.refused(`${DEPLOY} --yes`)).toContain('belongs to beta');
  });

  it('deploys nothing while a document or a secret is wrong, and shows no secret', async () => {
    const short = changed('ADMIN_TOKEN', 'ADMIN_TOKEN=nineteen-characters');
    for (const [secrets, why] of [
      [changed('CONTACT_FORM_TOKEN', ''), 'CONTACT_FORM_TOKEN: for source form'],
      [changed('GATEWAY_EMAIL', 'GATEWAY_EMAIL='), 'GATEWAY_EMAIL: for account default'],
      [`${secretsOf('canary')}CONFIG=x\n`, 'CONFIG is the name of a binding'],
      [short, 'ADMIN_TOKEN is shorter than 20 characters'],
      [`${secretsOf('canary')}canary\n`, 'line 6 is not NAME=value'],
    ] as const) {
      repository.write('tenants/acme/secrets.env', secrets);
      const stderr = await repository.refused(`${DEPLOY} --yes`);
      expect(stderr).toContain(why);
      expect(stderr).not.toContain('canary');
    }
    repository.write('tenants/acme/hookbell/sources/form.yaml', SOURCE.replace('secrets', 'secretz'));
    const stderr = await repository.refused(`${DEPLOY} --yes`);
    expect(stderr).toContain('form.yaml:2:1');
    expect(stderr).toContain('done: nothing; not done: documents, secrets, config, deploy, publish, doctor');
    expect(await repository.refused(`${DEPLOY} --dry-run`)).toMatch(/deploy acme --dry-run` again/);
    expect(repository.calls()).toEqual([]);
    // A token that a relay has already may be shorter than a new one.
    repository.write('tenants/acme/hookbell/sources/form.yaml', SOURCE);
    repository.write('tenants/acme/secrets.env', short);
    repository.write(SETTINGS, `${repository.read(SETTINGS)}url: ${relayUrl()}\n`);
    await repository.shown(`${DEPLOY} --dry-run`);
  });

  it('deploys nothing while git would commit the secrets, nor with --dry-run, which shows each command', async () => {
    spawnSync('git', ['init', '--quiet'], { cwd: repository.folder });
    expect(await repository.refused(`${DEPLOY} --dry-run`)).toContain('git does not ignore it');
    repository.write('.gitignore', 'tenants/*/secrets.env\n');
    const stdout = await repository.shown(`${DEPLOY} --dry-run`);
    expect(repository.calls().map(({ args }) => args.at(-1))).toEqual(['--dry-run']);
    expect(stdout).toContain('wrangler deploy --config .wrangler/tenants/acme.json --env= --secrets-file');
    expect(stdout).toContain('npx hookbell --tenant acme push\n');
    expect(repository.read(SETTINGS)).not.toMatch(/^url:/m);
  });

  it('stops when Wrangler fails, says how far it got, and what to do after half a first deploy', async () => {
    repository.plan({ exit: 1, says: ['Authentication error [code: 10000]'] });
    const stderr = await repository.refused(`${DEPLOY} --yes`);
    expect(stderr).toContain('│ Authentication error');
    expect(stderr).toContain('done: documents, secrets, config; not done: deploy, publish, doctor');
    expect(stderr).toContain('run `npx hookbell tenant deploy acme` again');
    expect(repository.read(SETTINGS)).not.toMatch(/^url:/m);
    repository.plan({ exit: 1, says: ['a namespace with this title already exists. [code: 10014]'] });
    expect(await repository.refused(`${DEPLOY} --yes`)).toContain(`${SETTINGS} as kv_namespace_id`);
  });

  it('stops when the doctor finds something that fails, and shows what, with the tenant’s own remedy', async () => {
    await failingGateway({ failure: 'status', status: 401 });
    const { code, stdout, stderr } = await repository.run(`${DEPLOY} --yes`);
    expect([code, stderr]).toEqual([1, expect.stringContaining('not done: doctor')]);
    expect(stdout).toMatch(/✗ Gateway +refuses the account/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('npx hookbell --tenant acme resume default');
  });
});

describe('a deployed tenant', () => {
  beforeEach(() => publish());

  it('is talked to at its own relay with its own token, whatever the shell says; `tenants` asks each, and shows no token', async () => {
    await repository.add('acme', 'canary', relayUrl());
    const env = { HOOKBELL_URL: 'http://localhost:1', HOOKBELL_TOKEN: 'wrong' };
    for (const args of ['--tenant acme versions', 'versions --tenant acme'])
      await repository.shown(args, { env });
    await repository.add('beta', 'canary', 'http://localhost:1');
    await repository.add('gamma', 'canary');
    await repository.add('delta', 'canary', relayUrl());
    repository.write('tenants/delta/secrets.env', 'ADMIN_TOKEN=wrong-token-0123456789\n');
    repository.write('tenants/epsilon/tenant.yaml', `url: ${relayUrl()}\n`);
    const last_event_at = expect.stringMatching(/^20/) as unknown;
    await post('open', { name: 'Ada' });
    expect(JSON.parse(await repository.shown('tenants --json'))).toMatchObject({
      items: [
        { tenant: 'acme', health: 'ok', version: packageVersion(), open_incidents: 0, last_event_at },
        { tenant: 'beta', health: 'fail', problem: 'does not answer' },
        {
          tenant: 'delta',
          problem: expect.stringContaining('the token in tenants/delta/secrets.env') as unknown,
        },
        { tenant: 'epsilon', health: 'fail', problem: 'tenants/epsilon/tenant.yaml has errors' },
        { tenant: 'gamma', health: 'unknown' },
      ],
    });
    const { code, stdout, stderr } = await repository.run('tenant status --all');
    expect([code, stderr]).toEqual([1, expect.stringContaining('3 tenants need you: beta, delta, epsilon')]);
    expect(stdout).toMatch(
      /^beta +fail .*\n^delta +ok .*\n^epsilon +fail .* –$\n^acme +ok +warn .* ago .*\/admin\n^gamma +unknown .*not deployed yet/m,
    );
    expect(stdout + stderr).not.toContain(TOKEN);
    repository.write('tenants/acme/secrets.env', `VIEWER_TOKEN=${TOKEN}\n`);
    await repository.shown('--tenant acme versions');
  });

  it('is removed once everything is written down, and what is left is said', async () => {
    const { event } = await post('open', { name: 'Ada', phone: '4915112345678' });
    const [stopped, topic] = ['4915112345671', 'ops-topic'];
    await admin('PUT', `/suppressions/${stopped}`, { reason: 'asked' });
    await admin('PUT', `/suppressions/${topic}`, { address: true });
    await repository.add('acme', 'canary', relayUrl());
    await repository.refused('tenant remove acme');
    expect(repository.calls()).toEqual([]);
    const stdout = await repository.shown('tenant remove acme --yes');
    const names = readdirSync(join(repository.folder, 'tenants/acme'));
    const folder = `tenants/acme/${names.find((name) => name.startsWith('export-')) ?? ''}`;
    expect(JSON.parse(repository.read(`${folder}/config.json`))).toHaveProperty('sources.open');
    expect(repository.read(`${folder}/events.jsonl`)).toContain(event);
    const args = ['delete', '--config', '.wrangler/tenants/acme.json', '--env='];
    expect(repository.calls()).toMatchObject([{ args, config: { name: 'hookbell-acme' } }]);
    expectSays(stdout, 'hookbell-acme-config', 'tenants/acme/secrets.env', '2 receivers opted out');
    // The next deploy puts back who had opted out, once: who opts in again stays in.
    const remove = () => Promise.all([stopped, topic].map((one) => admin('DELETE', `/suppressions/${one}`)));
    const listed = () => repository.shown('--tenant acme suppressions list');
    await remove();
    repository.plan({ target: relayUrl() });
    await repository.shown(`${DEPLOY} --yes`);
    expectSays(await listed(), stopped, 'asked', topic);
    await remove();
    await repository.shown(`${DEPLOY} --yes`);
    expect(await listed()).toContain('nobody has opted out');
  });

  it('is not removed where it could not be exported, unless that is asked for', async () => {
    await repository.add('acme', 'canary', 'http://localhost:1');
    expect(await repository.refused('tenant remove acme --yes')).toContain('--no-export');
    expect(repository.calls()).toEqual([]);
    await repository.shown('tenant remove acme --yes --no-export');
    expect(repository.calls()).toHaveLength(1);
  });
});

const ignored = (file: string): boolean =>
  spawnSync('git', ['check-ignore', '--quiet', '--no-index', `tenants/acme/${file}`], { cwd: ROOT })
    .status === 0;

it('the repository keeps secrets and exports of tenants out of git', () => {
  const files = ['secrets.env', 'export-x/events.jsonl', 'tenant.yaml'];
  expect(files.map(ignored)).toEqual([true, true, false]);
});
