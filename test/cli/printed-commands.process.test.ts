import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commandsFor } from '../../cli/commands.ts';
import { createProgram } from '../../cli/program.ts';
import { hookbell, json, newFolder } from './support.ts';

/** A command as a shell reads it: the relay's address, and the arguments of `hookbell`. */
interface Typed {
  readonly url: string;
  readonly args: readonly string[];
}

/** Has a shell split commands into words, as it does with what is pasted into it. */
function typed(commands: readonly string[]): readonly Typed[] {
  const shell = `npx() { printf '%s\\0' "$HOOKBELL_URL" "$@" '<end>'; }\n${commands.join('\n')}\n`;
  const { stdout, stderr } = spawnSync('sh', ['-s'], { input: shell, encoding: 'utf8', env: {} });
  if (stderr !== '') throw new Error(stderr);
  return stdout
    .split('<end>\0')
    .filter((one) => one !== '')
    .map((one) => {
      const [url = '', program, ...args] = one.split('\0').slice(0, -1);
      expect(program).toBe('hookbell');
      return { url, args };
    });
}

/** True if the command line knows the command, its options and its arguments. Runs nothing. */
async function isKnown(args: readonly string[]): Promise<boolean> {
  const seen: string[] = [];
  const program = createProgram(() => async () => void seen.push('run'), await commandsFor(args));
  const all = [program, ...program.commands.flatMap((one) => [one, ...one.commands])];
  for (const one of all) one.exitOverride().configureOutput({ writeErr: (text) => seen.push(text) });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch {
    // It has said why.
  }
  return seen.join() === 'run';
}

/** The commands among the lines of a screen. */
const commandsIn = (screen: string): readonly string[] =>
  screen.split('\n').flatMap((line) => /^ +((?:HOOKBELL_URL=\S+ )?npx hookbell .*)$/.exec(line)?.[1] ?? []);

const withNext = z.looseObject({ next: z.array(z.string()) });
const TO = ['--to', '+49 151 12345670', '--yes'];
const ADD = ['tenant', 'add', 'acme', '--gateway', 'https://gateway.example/api'];

describe('each command that `init` prints', () => {
  it.each(['stripe', 'typeform', 'alertmanager', 'generic', 'asana', 'notion'])(
    'for %s is one that the command line knows, for the same relay and folder',
    async (provider) => {
      const cwd = newFolder();
      const folder = "the shop's";
      const init = ['init', '--provider', provider, ...TO, folder];
      const { next } = await json(init, withNext, { cwd, env: { HOOKBELL_URL: 'http://localhost:8720' } });
      const screen = await hookbell(init, { cwd, env: { HOOKBELL_URL: 'http://localhost:8720' } });
      expect(commandsIn(screen.stdout)).toEqual(next);
      const all = typed(next);
      for (const { args } of all) expect([args, await isKnown(args)]).toEqual([args, true]);
      expect(all.map(({ args }) => args)).toContainEqual(['push', folder]);
      expect(all.map(({ args }) => args)).toContainEqual(['check', folder]);
      for (const { url, args } of all)
        expect([args, url]).toEqual([args, args[0] === 'check' ? '' : 'http://localhost:8720']);
    },
  );

  it('names no address and no folder that are the usual ones', async () => {
    const env = { HOOKBELL_URL: '' };
    const { next } = await json(['init', '--provider', 'stripe', ...TO], withNext, { cwd: newFolder(), env });
    expect(next).toEqual([
      'npx hookbell check',
      'npx hookbell push',
      'npx hookbell preview stripe --samples',
      'npx hookbell tail',
    ]);
  });

  it('speaks of Wrangler only for a deployed relay', async () => {
    const init = ['init', '--provider', 'stripe', ...TO];
    const [here, there] = [
      await hookbell(init, { cwd: newFolder() }),
      await hookbell([...init, '--url', 'https://relay.example'], { cwd: newFolder() }),
    ];
    expect(here.stdout).toContain('add a line to .dev.vars:  STRIPE_WEBHOOK_SECRET="…"');
    expect(here.stdout).not.toContain('wrangler');
    expect(there.stdout).toContain('  npx wrangler secret put STRIPE_WEBHOOK_SECRET\n');
    expect(there.stdout).not.toContain('.dev.vars');
  });

  it('says one name of the secret, also where another source has the usual one', async () => {
    const cwd = newFolder();
    await hookbell(['init', '--provider', 'stripe', ...TO], { cwd });
    const second = await hookbell(['init', '--provider', 'stripe', '--source', 'club', ...TO], { cwd });
    expect(second.stdout).toContain('CLUB_WEBHOOK_SECRET');
    expect(second.stdout).not.toContain('STRIPE_WEBHOOK_SECRET');
    const paired = await hookbell(['init', '--provider', 'asana', '--source', 'tasks', ...TO], { cwd });
    expect(new Set(paired.stdout.match(/\w+_(?:SECRET|TOKEN)\b/g))).toEqual(
      new Set(['TASKS_WEBHOOK_SECRET']),
    );
  });
});

describe('each command that `tenant add` prints', () => {
  it('works before the first deploy or says what is missing, and none is for another relay', async () => {
    const cwd = newFolder();
    const { next } = await json(ADD, withNext, { cwd });
    const all = typed(next);
    expect(all.map(({ args }) => args)).toEqual([
      ['--tenant', 'acme', 'init'],
      ['--tenant', 'acme', 'check'],
      ['tenant', 'deploy', 'acme', '--dry-run'],
      ['tenant', 'deploy', 'acme'],
    ]);
    for (const { url, args } of all) expect([url, await isKnown(args)]).toEqual(['', true]);
    const made = await hookbell(['--tenant', 'acme', 'init', '--provider', 'stripe', ...TO], { cwd });
    expect(made.code).toBe(0);
    expect(made.stderr).toBe('Its relay is not deployed yet: the deploy prints the address.\n');
    expect(made.stdout).toContain('tenants/acme/hookbell/sources/stripe.yaml');
    expect(made.stdout).toContain('add a line to tenants/acme/secrets.env:  STRIPE_WEBHOOK_SECRET=…');
    expect(made.stdout).toContain('https://hookbell-acme.<you>.workers.dev/hooks/stripe');
    const after = typed(commandsIn(made.stdout)).map(({ args }) => args);
    expect(after).toEqual([
      ['--tenant', 'acme', 'check'],
      ['tenant', 'deploy', 'acme'],
      ['--tenant', 'acme', 'preview', 'stripe', '--samples'],
      ['--tenant', 'acme', 'tail'],
    ]);
    expect(await hookbell(['--tenant', 'acme', 'check'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    const deploy = await hookbell(['tenant', 'deploy', 'acme', '--dry-run'], { cwd });
    expect(deploy.stderr).toContain('3 secrets missing in tenants/acme/secrets.env');
    expect(deploy.stderr).toContain('run `npx hookbell tenant deploy acme` again');
  });
});

describe('a tenant without a relay', () => {
  it.each(['push', 'diff', 'pull', 'doctor', 'versions', 'tail', 'events', 'rollback'])(
    'has `%s` say that it is to be deployed, and call nobody',
    async (command) => {
      const cwd = newFolder();
      await hookbell(ADD, { cwd });
      const refused = await hookbell(['--tenant', 'acme', command], { cwd });
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('acme has no relay yet: `npx hookbell tenant deploy acme` creates it');
    },
  );

  it.each([
    [[], ['push', 'tenants/acme/hookbell', '--yes']],
    [[], ['diff', 'tenants/acme/hookbell']],
    [[], ['init', '--provider', 'stripe', ...TO, 'tenants/acme/hookbell']],
    [
      ['tenants', 'acme'],
      ['push', '--yes'],
    ],
    [
      ['tenants', 'acme', 'hookbell'],
      ['push', '.', '--yes'],
    ],
  ])('in %j: its documents reach no other relay by %j', async (folder, args) => {
    const cwd = newFolder();
    await hookbell(ADD, { cwd });
    const refused = await hookbell(args, { cwd: join(cwd, ...folder) });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/belongs to the tenant acme: `npx hookbell --tenant acme \w+`/);
  });

  it('has its folder compared with its own relay where the shell names that, and with another only by --url', async () => {
    const cwd = newFolder();
    await hookbell(ADD, { cwd });
    appendFileSync(join(cwd, 'tenants/acme/tenant.yaml'), 'url: http://localhost:1\n');
    const diff = ['diff', 'tenants/acme/hookbell'];
    const own = await hookbell(diff, { cwd, env: { HOOKBELL_URL: 'http://localhost:1/' } });
    expect(own.stderr).toMatch(/http:\/\/localhost:1 broke: bad port/);
    expect((await hookbell(diff, { cwd, env: { HOOKBELL_URL: 'http://localhost:2' } })).code).toBe(2);
    const chosen = await hookbell([...diff, '--url', 'http://localhost:2'], { cwd });
    expect(chosen.stderr).toMatch(/http:\/\/localhost:2\b/);
  });

  it('does not take the documents of another tenant', async () => {
    const cwd = newFolder();
    await hookbell(ADD, { cwd });
    await hookbell(
      ADD.map((one) => (one === 'acme' ? 'beta' : one)),
      { cwd },
    );
    const refused = await hookbell(['--tenant', 'beta', 'push', 'tenants/acme/hookbell'], { cwd });
    expect(refused.stderr).toContain('belongs to the tenant acme, not to beta');
    expect((await hookbell(['--tenant', 'nobody', 'check'], { cwd })).stderr).toContain(
      'there is no tenant nobody',
    );
  });
});
