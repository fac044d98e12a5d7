import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { commandsFor, createProgram } from '../../cli/commands.ts';
import { pasted } from '../../cli/paste.ts';
import { expectRefused, hookbell, json, newFolder, refused, shown, expectSays } from './offline.ts';

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
  const all = stdout.split('<end>\0').slice(0, -1);
  return all.map((one) => {
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
const TO = '--to "+49 151 12345670" --yes';
const STRIPE = `init --provider stripe ${TO}`;
const ADD = 'tenant add acme --gateway https://gateway.example/api';

it('a command to paste is split by a shell into the words that it was made of', () => {
  const word = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''));
  const lists = fc.sample(fc.array(word, { minLength: 1, maxLength: 4 }), 200);
  const commands = lists.map((args) => pasted({ program: 'npx hookbell' }, 'send', ...args));
  expect(typed(commands).map(({ args }) => args)).toEqual(lists.map((args) => ['send', ...args]));
});

it('each command that `init` prints is one that the command line knows, for the same relay and folder', async () => {
  const env = { HOOKBELL_URL: 'http://localhost:8720' };
  const folder = "the shop's";
  for (const provider of ['stripe', 'typeform', 'alertmanager', 'generic', 'asana', 'notion']) {
    const cwd = newFolder();
    const init = `init --provider ${provider} ${TO} "${folder}"`;
    const { next } = await json(init, withNext, { cwd, env });
    expect(commandsIn(await shown(init, { cwd, env }))).toEqual(next);
    const all = typed(next);
    for (const { url, args } of all) {
      const relay = args[0] === 'check' ? '' : env.HOOKBELL_URL;
      expect([args, url, await isKnown(args)]).toEqual([args, relay, true]);
    }
    const given = all.map(({ args }) => args);
    for (const command of ['push', 'check']) expect(given).toContainEqual([command, folder]);
  }
});

it('each command that `tenant add` prints works before the first deploy or says what is missing, and none is for another relay', async () => {
  const cwd = newFolder();
  const all = typed((await json(ADD, withNext, { cwd })).next);
  expect(all.map(({ args }) => args)).toEqual([
    ['--tenant', 'acme', 'init'],
    ['--tenant', 'acme', 'check'],
    ['tenant', 'deploy', 'acme', '--dry-run'],
    ['tenant', 'deploy', 'acme'],
  ]);
  for (const { url, args } of all) expect([url, await isKnown(args)]).toEqual(['', true]);
  const made = await hookbell(`--tenant acme ${STRIPE}`, { cwd });
  const stderr = 'Its relay is not deployed yet: the deploy prints the address.\n';
  expect(made).toMatchObject({ code: 0, stderr });
  expectSays(
    made.stdout,
    'tenants/acme/hookbell/sources/stripe.yaml',
    'add a line to tenants/acme/secrets.env:  STRIPE_WEBHOOK_SECRET=…',
    'https://hookbell-acme.<you>.workers.dev/hooks/stripe',
  );
  expect(typed(commandsIn(made.stdout)).map(({ args }) => args)).toEqual([
    ['--tenant', 'acme', 'check'],
    ['tenant', 'deploy', 'acme'],
    ['--tenant', 'acme', 'preview', 'stripe', '--samples'],
    ['--tenant', 'acme', 'tail'],
  ]);
  expect(await hookbell('--tenant acme check', { cwd })).toMatchObject({ code: 0, stderr: '' });
  const deploy = await refused('tenant deploy acme --dry-run', { cwd });
  expect(deploy).toContain('3 secrets missing in tenants/acme/secrets.env');
  expect(deploy).toContain('run `npx hookbell tenant deploy acme --dry-run` again');
});

it('a tenant without a relay has documents that reach no other relay and no other tenant, unless --url chooses one', async () => {
  const cwd = newFolder();
  await shown(ADD, { cwd });
  await shown(ADD.replace('acme', 'beta'), { cwd });
  const why = /belongs to the tenant acme: `npx hookbell --tenant acme \w+`/;
  const folder = 'tenants/acme/hookbell';
  for (const [at, args] of [
    ['', `push ${folder} --yes`],
    ['', `diff ${folder}`],
    ['', `${STRIPE} ${folder}`],
    ['tenants/acme', 'push --yes'],
    [folder, 'push . --yes'],
  ] as const)
    await expectRefused([[args, 2, why]], () => ({ cwd: join(cwd, at) }));
  expect(await refused(`--tenant beta push ${folder}`, { cwd })).toContain(
    'belongs to the tenant acme, not to beta',
  );
  // Its own relay may be named by the shell.
  appendFileSync(join(cwd, 'tenants/acme/tenant.yaml'), 'url: http://localhost:1\n');
  const diff = (url: string) => refused(`diff ${folder}`, { cwd, env: { HOOKBELL_URL: url } });
  expect(await diff('http://localhost:1/')).toMatch(/http:\/\/localhost:1 broke: bad port/);
  expect(await diff('http://localhost:2')).toMatch(why);
  expect(await refused(`diff ${folder} --url http://localhost:2`, { cwd })).toMatch(/http:\/\/localhost:2\b/);
});
