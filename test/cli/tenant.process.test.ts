import { existsSync, readdirSync, statSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { packageVersion } from '../../cli/doctor/package-version.ts';
import { ROOT, TOKEN, folderWith, post, publish, relayUrl } from './support.ts';
import { newRepository, pausedByGateway, secretsOf, SOURCE, type Repository } from './tenant/support.ts';

let repository: Repository;
beforeEach(() => {
  repository = newRepository();
});

/** A server that is not a relay, until the test ends. */
async function serve(answer: (path: string) => Response): Promise<string> {
  const server = createServer((request, response) => {
    const made = answer(request.url ?? '');
    void made
      .text()
      .then((text) => response.writeHead(made.status, Object.fromEntries(made.headers)).end(text));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

/** All files below a folder that hold a text. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(folder, file)).isFile())
    .filter((file) => repository.read(file).includes(text));
}

describe('tenant add', () => {
  const GATEWAY = ['--gateway', 'https://gateway.example/api'];

  it('writes settings, documents and a file for secrets that only its owner can read', async () => {
    const { code, stdout } = await repository.run(['tenant', 'add', 'acme', ...GATEWAY]);
    expect(code).toBe(0);
    for (const file of [
      'tenant.yaml',
      'hookbell/accounts/default.yaml',
      'secrets.env.example',
      'secrets.env',
    ])
      expect(stdout).toContain(`✓ tenants/acme/${file}\n`);
    expect(stdout).toContain('hookbell tenant deploy acme');
    expect(repository.read('tenants/acme/tenant.yaml')).toContain(
      'gateway_base_url: https://gateway.example/api',
    );
    expect(repository.read('tenants/acme/hookbell/accounts/default.yaml')).toContain('per_minute: 30');
    expect(statSync(join(repository.folder, 'tenants/acme/secrets.env')).mode & 0o777).toBe(0o600);
    expect(repository.read('tenants/acme/secrets.env')).toMatch(/^ADMIN_TOKEN=[\w-]{43}$/m);
    expect(repository.read('tenants/acme/secrets.env.example')).toMatch(/^ADMIN_TOKEN=$/m);
  });

  it('makes another token for each tenant', async () => {
    const tokens = await Promise.all(
      ['a', 'b'].map(async (name) => {
        await repository.run(['tenant', 'add', name, ...GATEWAY]);
        return /ADMIN_TOKEN=(.+)/.exec(repository.read(`tenants/${name}/secrets.env`))?.[1];
      }),
    );
    expect(new Set(tokens).size).toBe(2);
  });

  it('copies the documents of a folder, and asks for the secrets that they name', async () => {
    const from = folderWith({
      'sources/form.yaml': `# a remark\n${SOURCE}`,
      'fixtures/form/ada.json': '{"name": "Ada"}',
      'secrets.env': 'CONTACT_FORM_TOKEN=canary',
      '.dev.vars': 'CONTACT_FORM_TOKEN=canary',
    });
    await repository.run(['tenant', 'add', 'acme', ...GATEWAY, '--from', from]);
    expect(repository.read('tenants/acme/hookbell/sources/form.yaml')).toBe(`# a remark\n${SOURCE}`);
    expect(repository.read('tenants/acme/hookbell/fixtures/form/ada.json')).toContain('Ada');
    expect(repository.read('tenants/acme/secrets.env')).toMatch(/^# For source form.\nCONTACT_FORM_TOKEN=$/m);
    expect(filesWith(repository.folder, 'canary')).toEqual([]);
  });

  it('takes nothing from another tenant', async () => {
    await repository.add('acme', 'acme-canary');
    const { code, stderr } = await repository.run([
      'tenant',
      'add',
      'beta',
      ...GATEWAY,
      '--from',
      'tenants/acme/hookbell',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('tenants share nothing');
    expect(existsSync(join(repository.folder, 'tenants/beta'))).toBe(false);
  });

  it.each([
    [['Acme', ...GATEWAY], 'lower-case letters'],
    [['..', ...GATEWAY], 'lower-case letters'],
    [['x'.repeat(55), ...GATEWAY], 'up to 54'],
    [['acme'], 'give --gateway'],
    [['acme', '--gateway', 'https://gateway.example'], 'ends in /api'],
  ])('%j is misused, and writes nothing', async (args, message) => {
    const { code, stderr } = await repository.run(['tenant', 'add', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(join(repository.folder, 'tenants'))).toBe(false);
  });

  it('does not touch a tenant that is there', async () => {
    await repository.add('acme', 'canary');
    const before = repository.read('tenants/acme/secrets.env');
    expect((await repository.run(['tenant', 'add', 'acme', ...GATEWAY])).code).toBe(1);
    expect(repository.read('tenants/acme/secrets.env')).toBe(before);
  });
});

describe('tenant deploy', () => {
  beforeEach(async () => {
    await publish({ sources: {}, templates: {}, recipients: {}, accounts: {} });
    await repository.add('acme', 'acme-canary');
    repository.plan({ target: relayUrl(), says: ['Uploaded hookbell-acme'] });
  });

  it('deploys code and all secrets at once, publishes, and has the doctor look', async () => {
    const { code, stdout, stderr } = await repository.run(['tenant', 'deploy', 'acme', '--yes']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('│ Uploaded hookbell-acme')]);
    expect(stdout).toMatch(/✓ documents .*\n✓ secrets .*\n✓ config .*\n✓ deploy .*\n/);
    expect(stdout).toMatch(/✓ publish +version \d+ published/);
    expect(stdout).toMatch(/✓ doctor +\d+ checks/);
    const [call, ...more] = repository.calls();
    expect(more).toEqual([]);
    expect(call).toMatchObject({
      args: [
        'deploy',
        '--config',
        '.wrangler/tenants/acme.json',
        '--env=',
        '--secrets-file',
        expect.any(String),
      ],
      mode: '600',
      config: {
        name: 'hookbell-acme',
        kv_namespaces: [{ binding: 'CONFIG' }],
        vars: { GATEWAY_BASE_URL: 'https://acme-gateway.example/api' },
        secrets: { required: ['ADMIN_TOKEN', 'CONTACT_FORM_TOKEN', 'GATEWAY_API_KEY', 'GATEWAY_EMAIL'] },
      },
      secrets: {
        ADMIN_TOKEN: TOKEN,
        CONTACT_FORM_TOKEN: 'acme-canary-form',
        GATEWAY_API_KEY: 'acme-canary-$HOME-key',
        GATEWAY_EMAIL: 'acme-canary@example.com',
      },
    });
    expect(existsSync(call?.secretsFile ?? '')).toBe(false);
  });

  it('can be run again: nothing is published twice, and the address stays as it was written down', async () => {
    await repository.run(['tenant', 'deploy', 'acme', '--yes']);
    const settings = repository.read('tenants/acme/tenant.yaml');
    expect(settings).toContain(`url: ${relayUrl()}`);
    expect(settings).toContain('# Where its messages are sent.');
    const { code, stdout } = await repository.run(['tenant', 'deploy', 'acme', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('nothing to publish');
    expect(repository.read('tenants/acme/tenant.yaml')).toBe(settings);
  });

  it('shows no secret, and leaves none in a file but its own', async () => {
    repository.plan({ target: relayUrl(), says: ['oops: acme-canary-$HOME-key'] });
    const run = await repository.run(['tenant', 'deploy', 'acme', '--yes', '--json']);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('oops: [redacted]');
    expect(run.stdout + run.stderr).not.toContain('acme-canary');
    expect(run.stdout + run.stderr).not.toContain(TOKEN);
    const left = filesWith(repository.folder, 'acme-canary').filter((file) => !file.startsWith('bin/'));
    expect(left).toEqual(['tenants/acme/secrets.env']);
  });

  it('gives one tenant nothing of another, nor of the shell', async () => {
    await repository.add('beta', 'beta-canary');
    const env = {
      GATEWAY_API_KEY: 'shell-canary',
      ADMIN_TOKEN: 'shell-canary',
      WRANGLER_CI_OVERRIDE_NAME: 'hookbell-acme',
    };
    const runs = [
      await repository.run(['tenant', 'deploy', 'acme', '--yes'], env),
      await repository.run(['tenant', 'deploy', 'beta', '--dry-run'], env),
    ];
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    const [acme, beta] = repository.calls();
    expect(acme?.config.name).toBe('hookbell-acme');
    expect(beta?.config.name).toBe('hookbell-beta');
    expect(beta?.env['WRANGLER_CI_OVERRIDE_NAME']).toBe('hookbell-beta');
    expect(JSON.stringify(acme)).not.toContain('beta');
    expect(JSON.stringify(beta)).not.toContain('acme');
    expect(JSON.stringify([acme, beta])).not.toContain('shell-canary');
    expect(beta?.secrets?.['GATEWAY_API_KEY']).toBe('beta-canary-$HOME-key');
  });

  it.each([
    ['worker: hookbell-acme', 'the Worker hookbell-acme belongs to acme'],
    ['worker: hookbell', 'the Worker hookbell belongs to wrangler.toml'],
    ['domain: hooks.acme.example', 'the domain hooks.acme.example belongs to acme'],
    [
      'kv_namespace_id: 0123456789abcdef0123456789abcdef',
      'the kv_namespace_id 0123456789abcdef0123456789abcdef belongs to acme',
    ],
  ])('is refused when two tenants would share something: %s', async (line, message) => {
    const own = `gateway_base_url: https://a.example/api\n${line}\n`;
    repository.write('tenants/acme/tenant.yaml', own.replace('worker: hookbell\n', ''));
    await repository.add('beta', 'beta-canary');
    repository.write('tenants/beta/tenant.yaml', own);
    const { code, stderr } = await repository.run(['tenant', 'deploy', 'beta', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(repository.calls()).toEqual([]);
  });

  it('deploys nothing while a document is wrong', async () => {
    repository.write('tenants/acme/hookbell/sources/form.yaml', SOURCE.replace('secrets', 'secretz'));
    const { code, stderr } = await repository.run(['tenant', 'deploy', 'acme', '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain('form.yaml:2:1');
    expect(stderr).toContain('done: nothing; not done: documents, secrets, config, deploy, publish, doctor');
    expect(repository.calls()).toEqual([]);
  });

  it.each([
    [
      'a missing secret',
      secretsOf('x').replace(/^CONTACT_FORM_TOKEN.*$/m, ''),
      'CONTACT_FORM_TOKEN: for source form',
    ],
    [
      'an empty one',
      secretsOf('x').replace(/^GATEWAY_EMAIL.*$/m, 'GATEWAY_EMAIL='),
      'GATEWAY_EMAIL: for account default',
    ],
    [
      'one that would take a binding’s place',
      `${secretsOf('x')}CONFIG=x\n`,
      'CONFIG is the name of a binding',
    ],
    [
      'a new token that is too short',
      secretsOf('x').replace(/^ADMIN_TOKEN.*$/m, 'ADMIN_TOKEN=nineteen-characters'),
      'ADMIN_TOKEN is shorter than 20 characters',
    ],
    ['a line that is none', `${secretsOf('x')}canary\n`, 'line 6 is not NAME=value'],
  ])('deploys nothing with %s', async (_, secrets, message) => {
    repository.write('tenants/acme/secrets.env', secrets);
    const { code, stderr } = await repository.run(['tenant', 'deploy', 'acme', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(stderr).not.toContain('canary');
    expect(repository.calls()).toEqual([]);
  });

  it('goes on with a token that is too short for a new one, where a relay has it already', async () => {
    repository.write(
      'tenants/acme/secrets.env',
      secretsOf('x').replace(/^ADMIN_TOKEN.*$/m, 'ADMIN_TOKEN=nineteen-characters'),
    );
    repository.write(
      'tenants/acme/tenant.yaml',
      `${repository.read('tenants/acme/tenant.yaml')}url: ${relayUrl()}\n`,
    );
    const { code } = await repository.run(['tenant', 'deploy', 'acme', '--dry-run']);
    expect(code).toBe(0);
  });

  it('deploys nothing while git would commit the secrets', async () => {
    spawnSync('git', ['init', '--quiet'], { cwd: repository.folder });
    const refused = await repository.run(['tenant', 'deploy', 'acme', '--dry-run']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('git does not ignore it')]);
    repository.write('.gitignore', 'tenants/*/secrets.env\n');
    expect((await repository.run(['tenant', 'deploy', 'acme', '--dry-run'])).code).toBe(0);
  });

  it('stops when Wrangler fails, and says how far it got', async () => {
    repository.plan({ exit: 1, says: ['Authentication error [code: 10000]'] });
    const { code, stderr } = await repository.run(['tenant', 'deploy', 'acme', '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain('│ Authentication error');
    expect(stderr).toContain('done: documents, secrets, config; not done: deploy, publish, doctor');
    expect(stderr).toContain('run `npx hookbell tenant deploy acme` again');
    expect(repository.read('tenants/acme/tenant.yaml')).not.toMatch(/^url:/m);
  });

  it('says what to do when a first deploy ended between the namespace and the Worker', async () => {
    repository.plan({ exit: 1, says: ['a namespace with this title already exists. [code: 10014]'] });
    const { stderr } = await repository.run(['tenant', 'deploy', 'acme', '--yes']);
    expect(stderr).toContain('tenants/acme/tenant.yaml as kv_namespace_id');
  });

  it('stops when the documents cannot be published, and says that the code is there by now', async () => {
    const url = await serve((path) =>
      path === '/health' ? Response.json({ status: 'ok' }) : new Response('broken', { status: 500 }),
    );
    repository.plan({ target: url });
    const { code, stderr } = await repository.run(['tenant', 'deploy', 'acme', '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain('done: documents, secrets, config, deploy; not done: publish, doctor');
  });

  it('stops when the doctor finds something that fails, and shows what, with the tenant’s own remedy', async () => {
    await pausedByGateway();
    const { code, stdout, stderr } = await repository.run(['tenant', 'deploy', 'acme', '--yes']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ Gateway +refuses the account/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('npx hookbell --tenant acme resume default');
    expect(stderr).toContain('not done: doctor');
  });

  it('asks before it takes away what is published, and is not asked without a terminal', async () => {
    await repository.run(['tenant', 'deploy', 'acme', '--yes']);
    repository.write('tenants/acme/hookbell/recipients/new.yaml', "numbers: ['4915112345678']\n");
    const { code, stderr } = await repository.run(['tenant', 'deploy', 'acme']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('use --yes')]);
  });

  it('changes nothing with --dry-run, and shows each command', async () => {
    const { code, stdout } = await repository.run(['tenant', 'deploy', 'acme', '--dry-run']);
    expect(code).toBe(0);
    expect(repository.calls().map(({ args }) => args.at(-1))).toEqual(['--dry-run']);
    expect(stdout).toContain('wrangler deploy --config .wrangler/tenants/acme.json --env= --secrets-file');
    expect(stdout).toContain('npx hookbell --tenant acme push\n');
    expect(repository.read('tenants/acme/tenant.yaml')).not.toMatch(/^url:/m);
  });

  it('makes a Worker by the pinned Wrangler', async () => {
    const { code, stdout, stderr } = await repository.run(['tenant', 'deploy', 'acme', '--dry-run'], {
      HOOKBELL_WRANGLER: '',
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('the Worker builds; nothing was changed')]);
    expect(stderr).toMatch(/Total Upload: .*gzip/);
    expect(stderr).toMatch(/env\.CONFIG +KV Namespace/);
    expect(stderr).toMatch(/env\.GATEWAY_API_KEY \("\(hidden\)"\)/);
    expect(stderr).toContain('https://acme-gateway.example/api');
    expect(stdout + stderr).not.toContain('acme-canary');
  });

  it('names a tenant that was probably meant', async () => {
    const { code, stderr } = await repository.run(['tenant', 'deploy', 'acmee']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('did you mean `acme`?')]);
  });
});

describe('--tenant', () => {
  beforeEach(() => repository.add('acme', 'canary'));

  it('talks to the tenant’s relay with the tenant’s token, whatever the shell says', async () => {
    repository.write(
      'tenants/acme/tenant.yaml',
      `gateway_base_url: https://a.example/api\nurl: ${relayUrl()}\n`,
    );
    const env = { HOOKBELL_URL: 'http://localhost:1', HOOKBELL_TOKEN: 'wrong' };
    expect((await repository.run(['--tenant', 'acme', 'versions'], env)).code).toBe(0);
    expect((await repository.run(['versions', '--tenant', 'acme'], env)).code).toBe(0);
  });

  it.each([
    [['--tenant', 'acme', 'versions'], 1, '`npx hookbell tenant deploy acme` creates it'],
    [['--tenant', 'nobody', 'versions'], 1, 'there is no tenant nobody'],
    [['--tenant', '../x', 'versions'], 2, 'a tenant’s name is'],
    [['--tenant', 'acme', '--url', 'http://localhost:1', 'versions'], 2, 'give one of them'],
  ])('%j is refused', async (args, exit, message) => {
    const { code, stderr } = await repository.run(args);
    expect([code, stderr]).toEqual([exit, expect.stringContaining(message)]);
  });
});

describe('tenant list', () => {
  const list = z.object({ items: z.array(z.looseObject({ tenant: z.string(), status: z.unknown() })) });

  it('shows the folders, with what is wrong with one', async () => {
    await repository.add('acme', 'canary');
    repository.write('tenants/broken/tenant.yaml', 'gateway_base_url: nowhere\n');
    const { code, stdout, stderr } = await repository.run(['tenant', 'list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/acme +hookbell-acme +1 +not deployed yet/);
    expect(stderr).toContain('broken');
    expect(stdout + stderr).not.toContain('canary');
  });

  it('asks each relay how it is, with its own token', async () => {
    await publish();
    for (const [name, url] of [
      ['acme', relayUrl()],
      ['beta', 'http://localhost:1'],
      ['gamma', null],
    ] as const) {
      await repository.add(name, 'canary');
      if (url !== null)
        repository.write(
          `tenants/${name}/tenant.yaml`,
          `gateway_base_url: https://a.example/api\nurl: ${url}\n`,
        );
    }
    const { stdout } = await repository.run(['tenant', 'list', '--status', '--json']);
    const { items } = list.parse(JSON.parse(stdout));
    expect(items[0]?.status).toEqual(expect.objectContaining({ version: packageVersion() }));
    expect(items).toMatchObject([
      {
        tenant: 'acme',
        status: { health: 'ok' },
      },
      { tenant: 'beta', status: { health: 'fail' } },
      { tenant: 'gamma', status: { health: 'unknown' } },
    ]);
  });

  it('says so when there is none', async () => {
    expect((await repository.run(['tenant', 'list'])).stdout).toContain('no tenants');
  });
});

describe('tenant remove', () => {
  let event = '';
  beforeAll(async () => {
    await publish();
    event = (await post('open', { name: 'Ada', phone: '4915112345678' })).event;
  });
  beforeEach(async () => {
    await repository.add('acme', 'canary');
    repository.write(
      'tenants/acme/tenant.yaml',
      `gateway_base_url: https://a.example/api\nurl: ${relayUrl()}\n`,
    );
  });

  it('writes down everything first, deletes the Worker, and says what is left', async () => {
    const { code, stdout } = await repository.run(['tenant', 'remove', 'acme', '--yes']);
    expect(code).toBe(0);
    const folder =
      readdirSync(join(repository.folder, 'tenants/acme')).find((name) => name.startsWith('export-')) ?? '';
    expect(JSON.parse(repository.read(`tenants/acme/${folder}/config.json`))).toHaveProperty('sources.open');
    expect(repository.read(`tenants/acme/${folder}/events.jsonl`)).toContain(event);
    expect(repository.calls().map(({ args, config }) => [args, config.name])).toEqual([
      [['delete', '--config', '.wrangler/tenants/acme.json', '--env='], 'hookbell-acme'],
    ]);
    expect(stdout).toContain('hookbell-acme-config');
    expect(stdout).toContain('tenants/acme/secrets.env');
  });

  it('deletes nothing when nobody is there to say yes', async () => {
    const { code } = await repository.run(['tenant', 'remove', 'acme']);
    expect([code, repository.calls()]).toEqual([1, []]);
  });

  it('deletes nothing that it could not export, unless it is asked to', async () => {
    repository.write(
      'tenants/acme/tenant.yaml',
      'gateway_base_url: https://a.example/api\nurl: http://localhost:1\n',
    );
    const refused = await repository.run(['tenant', 'remove', 'acme', '--yes']);
    expect([refused.code, repository.calls()]).toEqual([1, []]);
    expect(refused.stderr).toContain('--no-export');
    expect((await repository.run(['tenant', 'remove', 'acme', '--yes', '--no-export'])).code).toBe(0);
    expect(repository.calls()).toHaveLength(1);
  });
});

describe('tenant remove, of one that was never deployed', () => {
  it('deletes its files and calls no Wrangler; what somebody else put there stays', async () => {
    await repository.add('acme', 'canary');
    await repository.run(['--tenant', 'acme', 'check']);
    repository.write('tenants/acme/notes.md', 'mine');
    const refused = await repository.run(['tenant', 'remove', 'acme']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('was never deployed from here');
    expect(repository.read('tenants/acme/tenant.yaml')).toContain('gateway_base_url');

    const { code, stdout } = await repository.run(['tenant', 'remove', 'acme', '--yes']);
    expect([code, repository.calls()]).toEqual([0, []]);
    expect(readdirSync(join(repository.folder, 'tenants/acme'))).toEqual(['notes.md']);
    expect(stdout).toContain('left: tenants/acme/notes.md');
  });

  it('leaves nothing of one that was only added', async () => {
    await repository.add('acme', 'canary');
    expect((await repository.run(['tenant', 'remove', 'acme', '--yes'])).code).toBe(0);
    expect(existsSync(join(repository.folder, 'tenants/acme'))).toBe(false);
  });
});

describe('the repository', () => {
  it('keeps secrets and exports of tenants out of git', () => {
    // fixed date: the name of a folder
    for (const file of ['tenants/acme/secrets.env', 'tenants/acme/export-2026-11-21T10-00-00/events.jsonl'])
      expect(spawnSync('git', ['check-ignore', '--quiet', '--no-index', file], { cwd: ROOT }).status).toBe(0);
    expect(
      spawnSync('git', ['check-ignore', '--quiet', '--no-index', 'tenants/acme/tenant.yaml'], { cwd: ROOT })
        .status,
    ).toBe(1);
  });
});
