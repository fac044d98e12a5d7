import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { ROOT } from '../../cli/built.ts';
import { NODE_BUILDS } from '../../packages/create-hookbell/lib/project.mjs';
import { startCloudflare, type Cloudflare } from '../cli/tenant/cloudflare.ts';
import { emptyHome, type Home } from './home.ts';
import { startDev } from './running.ts';

const { hookbell, create } = inject('tarballs');
const texts = z.record(z.string(), z.coerce.string()).default({});
const steps = z.array(
  z.object({ uses: z.string().default(''), run: z.string().default(''), env: texts, with: texts }),
);
type Steps = z.output<typeof steps>;
const action = z
  .object({ inputs: z.record(z.string(), z.object({ default: z.string() })), runs: z.object({ steps }) })
  .parse(parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')));
const workflow = z.object({ jobs: z.object({ hookbell: z.object({ steps }) }) });
const stepsOf = (text: string): Steps => workflow.parse(parse(text)).jobs.hookbell.steps;
const isOurs = ({ uses }: Steps[number]): boolean => /^[\w-]+\/hookbell@/.test(uses);
const entry = z.object({ version: z.string(), integrity: z.string() });
const lockfile = z.object({ packages: z.record(z.string(), entry.or(z.object({ name: z.string() }))) });

const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');
const says = (text: string | RegExp): unknown => expect.stringMatching(text);

const homes: Home[] = [];
let cloudflare: Cloudflare;
beforeAll(async () => {
  cloudflare = await startCloudflare();
});
afterAll(() => {
  cloudflare.close();
  for (const home of homes) home.remove();
});

/** A project made on this version of Node, and as git has it elsewhere. */
async function checkout(node: string) {
  const home = emptyHome(node);
  const { folder } = home;
  homes.push(home);
  const npmCreate = ['exec', '--yes', `--package=${create}`, '--', 'create-hookbell', 'my-relay', '--yes'];
  await home.run(
    folder,
    'npm',
    ...npmCreate,
    `--package=${hookbell}`,
    '--provider',
    'stripe',
    '--to',
    '+49 1512 3456789',
  );
  const git = (...args: readonly string[]) => home.run(join(folder, 'my-relay'), 'git', ...args);
  await git('add', '.');
  await git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '-m', 'first');
  await git('clone', '--quiet', '.', '../cloned/my-relay');
  return { home, folder: join(folder, 'cloned/my-relay'), head: (await git('rev-parse', 'HEAD')).trim() };
}

/** Runs steps as a runner does: each script in bash, up to the first that fails, with its expressions filled in. Of actions, only ours has scripts. */
async function runSteps(home: Home, folder: string, all: Steps, values: Readonly<Record<string, string>>) {
  const temp = mkdtempSync(join(home.folder, 'runner-'));
  const [summary, printed, others] = [join(temp, 'summary'), [] as string[], [] as string[]];
  const fill = (text: string, from = values): string =>
    text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, name: string) => from[name] ?? expect.fail(`no ${name}`));
  writeFileSync(summary, '');
  const scripts = all.flatMap((step) => {
    if (step.uses === '') return [{ run: fill(step.run), env: step.env, from: values }];
    if (!isOurs(step)) others.push(step.uses.split('@')[0] ?? '');
    const given = Object.entries(action.inputs).map(
      ([name, one]) => [`inputs.${name}`, fill(step.with[name] ?? one.default)] as const,
    );
    return isOurs(step)
      ? action.runs.steps.map(({ run, env }) => ({ run, env, from: Object.fromEntries(given) }))
      : [];
  });
  let code: number | string | null = 0;
  for (const { run, env, from } of scripts) {
    const own = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, fill(text, from)]));
    const runner = { RUNNER_TEMP: temp, GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: join(temp, 'output') };
    const account = { CLOUDFLARE_API_BASE_URL: cloudflare.url, CLOUDFLARE_ACCOUNT_ID: '0'.repeat(32) };
    const bash = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run];
    const { output, ended } = home.start(folder, { ...runner, ...account, ...own }, 'bash', ...bash);
    code = await ended;
    printed.push(output());
    if (code !== 0) break;
  }
  return { code, printed: printed.join(''), summary: readFileSync(summary, 'utf8'), others };
}

it.each(['20', '22', '24'])(
  '`npm ci` takes the lockfile of a project made on Node %s, which is complete for every system',
  async (node) => {
    const { home, folder } = await checkout(node);
    await home.run(folder, 'npm', 'ci');
    const { packages } = lockfile.parse(JSON.parse(read(folder, 'package-lock.json')));
    const builds = Object.keys(packages).filter((path) => path.startsWith('node_modules/node-'));
    expect(builds).toHaveLength(node === '20' ? NODE_BUILDS.length : 0);
    expect(read(folder, 'README.md')).toMatch(
      /put GATEWAY_EMAIL\n.* put GATEWAY_API_KEY\n.* put STRIPE_WEBHOOK_SECRET\nexport/,
    );
  },
);

it('the workflow of a project, and the one with the Action, do as they are written', async () => {
  const { home, folder, head } = await checkout('20');
  const ofProject = stepsOf(read(folder, '.github/workflows/hookbell.yml'));
  const [snippet = ''] = /(?<=```yaml\n)[^`]+\/hookbell@[^`]+/.exec(read(ROOT, 'docs/deploy.md')) ?? [];
  const ofAction = stepsOf(snippet);
  const [node, same] = [ofProject, ofAction].map(
    (all) => all.find((one) => 'node-version' in one.with)?.with,
  );
  expect(same).toEqual(node);
  const runner = emptyHome(node?.['node-version']);
  homes.push(runner);
  const dev = await startDev(home, join(home.folder, 'my-relay'));
  onTestFinished(() => dev.stop());
  const before = 'github.event.pull_request.base.sha || github.event.before';
  const isMain =
    "github.event_name == 'push' && github.ref == format('refs/heads/{0}', github.event.repository.default_branch)";
  const secrets = { 'secrets.HOOKBELL_TOKEN': 'demo-admin-token', 'secrets.CLOUDFLARE_API_TOKEN': 'token' };
  const values = { ...secrets, [isMain]: 'true', 'vars.HOOKBELL_URL': dev.url };
  const run = (all: Steps, commit: string) => runSteps(runner, folder, all, { ...values, [before]: commit });

  const others = ['actions/checkout', 'actions/setup-node'];
  for (const [at, all] of [ofProject, ofAction].entries()) {
    writeFileSync(join(folder, 'hookbell/recipients/new.yaml'), `numbers: ['491512345670${at}']\n`);
    const printed = says(/published version \d+ .*; managed in git/);
    expect(await run(all, '0'.repeat(40))).toMatchObject({ code: 0, printed, others });
  }
  expect(cloudflare.uploads.map(({ worker }) => worker)).toEqual(['my-relay']);

  // The messages before and after: with masked numbers, and nothing is published that a fixture does not expect.
  const ours = ofAction.filter(isOurs);
  expect(await run(ours, head)).toMatchObject({ code: 0, summary: says('No message changed') });
  expect(await run(ours, 'f'.repeat(40))).toMatchObject({
    code: 0,
    summary: says(/^### .*\n\n.* fixtures?\n/),
  });
  const file = join(folder, 'hookbell/recipients/shop-owners.yaml');
  writeFileSync(file, read(file).replace('4915123456789', '4915123456780'));
  const wrong = await run(ours, head);
  expect(wrong).toMatchObject({ code: 1, printed: says('not as expected'), summary: says('changed.') });
  expect(wrong.summary).not.toContain('491512345678');
  // An input could be a command.
  for (const { run: script } of action.runs.steps) expect(script).not.toContain('${{');
});
