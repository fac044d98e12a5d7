import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { folderWith } from './offline.ts';
import { newRepository, SOURCE } from './tenant/support.ts';

let repository: ReturnType<typeof newRepository>;
beforeEach(() => {
  repository = newRepository();
});

const GATEWAY = '--gateway https://gateway.example/api';

it('tenant add writes settings, documents and a file for secrets that only its owner can read', async () => {
  const { read } = repository;
  const stdout = await repository.shown(`tenant add acme ${GATEWAY}`);
  for (const file of ['tenant.yaml', 'hookbell/accounts/default.yaml', 'secrets.env.example', 'secrets.env'])
    expect(stdout).toContain(`✓ tenants/acme/${file}\n`);
  expect(stdout).toContain('hookbell tenant deploy acme');
  expect(read('tenants/acme/tenant.yaml')).toContain('gateway_base_url: https://gateway.example/api');
  expect(read('tenants/acme/hookbell/accounts/default.yaml')).toContain('per_minute: 30');
  expect(statSync(join(repository.folder, 'tenants/acme/secrets.env')).mode & 0o777).toBe(0o600);
  expect(read('tenants/acme/secrets.env.example')).toMatch(/^ADMIN_TOKEN=$/m);
  await repository.shown(`tenant add beta ${GATEWAY}`);
  const secrets = ['acme', 'beta'].map((name) => read(`tenants/${name}/secrets.env`));
  const tokens = secrets.map((text) => /^ADMIN_TOKEN=.*$/m.exec(text)?.[0]);
  for (const token of tokens) expect(token).toMatch(/^ADMIN_TOKEN=[\w-]{43}$/);
  expect(new Set(tokens).size).toBe(2);
});

it('tenant add copies the documents of a folder, and asks for the secrets that they name', async () => {
  const source = `# a remark\n${SOURCE}`;
  const from = folderWith({
    'sources/form.yaml': source,
    'fixtures/form/ada.json': '{"name": "Ada"}',
    'secrets.env': 'CONTACT_FORM_TOKEN=canary',
    '.dev.vars': 'CONTACT_FORM_TOKEN=canary',
  });
  await repository.shown(`tenant add acme ${GATEWAY} --from ${from}`);
  expect(repository.read('tenants/acme/hookbell/sources/form.yaml')).toBe(source);
  expect(repository.read('tenants/acme/hookbell/fixtures/form/ada.json')).toContain('Ada');
  expect(repository.read('tenants/acme/secrets.env')).toMatch(/^# For source form.\nCONTACT_FORM_TOKEN=$/m);
  const written = readdirSync(repository.folder, { recursive: true, withFileTypes: true });
  for (const file of written.filter((one) => one.isFile()))
    expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain('canary');
});

it('tenant add takes nothing from another tenant, does not touch one that is there, and needs a name and an address', async () => {
  await repository.add('acme', 'canary');
  const before = repository.read('tenants/acme/secrets.env');
  await repository.expectRefused([
    [`tenant add beta ${GATEWAY} --from tenants/acme/hookbell`, 2, 'tenants share nothing'],
    [`tenant add acme ${GATEWAY}`, 1, 'acme'],
    [`tenant add .. ${GATEWAY}`, 2, 'lower-case letters'],
    ['tenant add beta', 2, 'give --gateway'],
    ['tenant add beta --gateway https://gateway.example', 2, 'ends in /api'],
  ]);
  expect(repository.has('tenants/beta')).toBe(false);
  expect(repository.read('tenants/acme/secrets.env')).toBe(before);
});

it('--tenant names a tenant that has a relay, and no other relay beside it', async () => {
  await repository.add('acme', 'canary');
  repository.write('tenants/beta/tenant.yaml', '');
  await repository.expectRefused([
    ['--tenant acme dev tenants/beta/hookbell', 2, 'does not belong to the tenant acme'],
    ['--tenant nobody dev', 1, 'there is no tenant nobody'],
    ['--tenant acme versions', 1, '`npx hookbell tenant deploy acme` creates it'],
    ['--tenant nobody versions', 1, 'there is no tenant nobody'],
    ['--tenant ../x versions', 2, 'a tenant’s name is'],
    ['--tenant acme --url http://localhost:1 versions', 2, 'give one of them'],
    ['--tenant beta doctor', 2, 'tenants/beta/tenant.yaml: gateway_base_url'],
    ['tenant deploy acmee', 1, 'did you mean `acme`?'],
    ['tenant deploy --all --first acmee', 1, 'did you mean `acme`?'],
    ['tenant check', 2, 'give either the name of a tenant or --all'],
    ['tenant status acme --all', 2, 'give either the name of a tenant or --all'],
    ['tenant deploy acme --first acme', 2, '--first is for --all'],
  ]);
});

it('tenant check refuses what a deploy would: two tenants that share a Worker', async () => {
  for (const name of ['acme', 'beta']) await repository.add(name, 'canary');
  repository.write(
    'tenants/beta/tenant.yaml',
    'gateway_base_url: https://a.example/api\nworker: hookbell-acme\n',
  );
  repository.write('tenants/gamma/tenant.yaml', '');
  const { code, stdout } = await repository.run('tenant check --all');
  expect(code).toBe(1);
  for (const [name, why] of [
    ['acme', 'belongs to beta'],
    ['beta', 'belongs to acme'],
    ['gamma', 'tenants/gamma/tenant.yaml has errors'],
  ])
    expect(stdout).toMatch(new RegExp(`^${name} +failed +.*${why}`, 'm'));
});

it('tenant list shows the folders, with what is wrong with one, and says so when there is none', async () => {
  expect(await repository.shown('tenant list')).toContain('no tenants');
  await repository.add('acme', 'canary');
  repository.write('tenants/broken/tenant.yaml', 'gateway_base_url: nowhere\n');
  const { code, stdout, stderr } = await repository.run('tenant list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/acme +hookbell-acme +1 +not deployed yet/);
  expect(stdout).toMatch(/broken +\? +\? +\?$/m);
  expect(stderr).toContain('broken');
  expect(stdout + stderr).not.toContain('canary');
});

it('tenant remove of one that was never deployed deletes its files, calls no Wrangler, and leaves what is not its own', async () => {
  await repository.add('acme', 'canary');
  await repository.run('--tenant acme check');
  repository.write('tenants/acme/notes.md', 'mine');
  expect(await repository.refused('tenant remove acme')).toContain('was never deployed from here');
  expect(repository.read('tenants/acme/tenant.yaml')).toContain('gateway_base_url');
  expect(await repository.shown('tenant remove acme --yes')).toContain('left: tenants/acme/notes.md');
  expect(readdirSync(join(repository.folder, 'tenants/acme'))).toEqual(['notes.md']);
  await repository.add('beta', 'canary');
  await repository.shown('tenant remove beta --yes');
  expect(repository.has('tenants/beta')).toBe(false);
  expect(repository.calls()).toEqual([]);
});
