import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { folderWith, newFolder, ROOT, TOKEN, expectSays } from './offline.ts';
import { admin } from './relay.ts';
import { relayUrl } from './support.ts';

const step = z.object({ name: z.string(), env: z.record(z.string(), z.string()), run: z.string() });
const action = z
  .object({
    inputs: z.record(z.string(), z.object({ default: z.string() })),
    runs: z.object({ steps: z.array(step) }),
  })
  .parse(parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')));

/** Documents whose only message says so, and which expect it to. */
const saying = (words: string, message: string) => {
  const messages = [{ route: 'order', kind: 'text', phone: '4915112345678', params: { message } }];
  const send = `{ kind: text, message: "${words} {{ payload.id }}" }`;
  return {
    'hookbell/sources/shop.yaml': `verify: { scheme: none }\nroutes:\n  - { name: order, to: "4915112345678", send: ${send} }\n`,
    'hookbell/fixtures/shop/order.json': '{"id": 7}',
    'hookbell/fixtures/shop/order.expected.json': JSON.stringify({ messages }),
  };
};

/** A checkout of a project whose documents are committed, with hookbell installed as npm does it. */
function checkout() {
  const manifest = { 'package.json': '{"private":true}', '.gitignore': 'node_modules\n' };
  const folder = folderWith({ ...manifest, ...saying('Order', 'Order 7') });
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(ROOT, 'bin/hookbell.mjs'), join(folder, 'node_modules/.bin/hookbell'));
  const as = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...as, ...args], { cwd: folder, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  return { folder, before: git('rev-parse', 'HEAD') };
}

const exited = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

/**
 * Runs a step as a runner does: its script in bash, which stops at the first failure, with the expressions of its
 * variables filled in. This process goes on meanwhile: while it stands still, the relay closes idle connections.
 */
async function runStep(name: string, folder: string, inputs: Readonly<Record<string, string>> = {}) {
  const { run, env } = action.runs.steps.find((one) => one.name === name) ?? expect.fail(`no step ${name}`);
  const filled = (text: string): string =>
    text.replaceAll(
      /\$\{\{ inputs\.(\w+) \}\}/g,
      (_, input: string) => inputs[input] ?? action.inputs[input]?.default ?? '',
    );
  const temp = folderWith({ 'summary.md': '', outputs: '' });
  const options = {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: newFolder(),
      RUNNER_TEMP: temp,
      GITHUB_STEP_SUMMARY: join(temp, 'summary.md'),
      GITHUB_OUTPUT: join(temp, 'outputs'),
      ...Object.fromEntries(Object.entries(env).map(([key, text]) => [key, filled(text)])),
    },
  };
  const bash = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run];
  const { code, stdout, stderr } = await promisify(execFile)('bash', bash, options).then(
    (written) => ({ code: 0, ...written }),
    (thrown: unknown) => exited.parse(thrown),
  );
  const [summary, outputs] = ['summary.md', 'outputs'].map((file) => readFileSync(join(temp, file), 'utf8'));
  return { code, output: stdout + stderr, summary, outputs };
}

// Other files publish to the same relay.
afterAll(() => admin('POST', '/config/takeover', { name: 'the next test' }));

const says = (text: string): unknown => expect.stringContaining(text);

it('shows the messages before and after, with masked numbers, and gives the text for a comment', async () => {
  const { folder, before } = checkout();
  const compare = (commit: string) =>
    runStep('Compare the messages before and after', folder, { before: commit });
  expect(await compare(before)).toMatchObject({ code: 0, summary: says('No message changed (1 fixture).') });
  for (const commit of ['0'.repeat(40), 'f'.repeat(40)])
    expect(await compare(commit)).toMatchObject({ code: 0, summary: says('1 fixture\n') });
  folderWith(saying('New order', 'New order 7'), folder);
  const { code, summary = '', outputs = '' } = await compare(before);
  expect(code).toBe(0);
  expectSays(summary, '1 fixture of 1 changed.', /^- +message: Order 7$/m, /^\+ +message: New order 7$/m);
  expect(summary).not.toContain('4915112345678');
  const [, comment = ''] = /^comment=(.+)$/m.exec(outputs) ?? [];
  expect(readFileSync(comment, 'utf8')).toBe(summary);
});

it('fails when a fixture is not as expected, and publishes the folder as managed in git', async () => {
  const { folder } = checkout();
  const publish = (token: string) => runStep('Publish', folder, { url: relayUrl(), token });
  const published = await publish(TOKEN);
  expect([published.code, published.output]).toEqual([0, expect.stringContaining('published')]);
  expect((await publish('wrong')).code).toBe(1);
  expect((await runStep('Check', folder)).code).toBe(0);
  folderWith(saying('Another', 'Order 7'), folder);
  const output = expect.stringContaining('1 fixture not as expected') as unknown;
  expect(await runStep('Check', folder)).toMatchObject({ code: 1, output });
});

it('puts no input into a script, where it could be a command', () => {
  for (const { run } of action.runs.steps) expect(run).not.toContain('${{');
});
