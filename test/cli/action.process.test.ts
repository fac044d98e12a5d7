import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { admin, newFolder, relayUrl, ROOT, TOKEN } from './support.ts';

const action = z
  .object({
    inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
    outputs: z.record(z.string(), z.object({ value: z.string() })),
    runs: z.object({
      using: z.literal('composite'),
      steps: z.array(
        z.object({
          name: z.string(),
          id: z.string().optional(),
          shell: z.literal('bash'),
          env: z.record(z.string(), z.string()),
          run: z.string(),
        }),
      ),
    }),
  })
  .parse(parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')));

/** A checkout of a project whose documents are committed, with hookbell installed as npm does it. */
function checkout() {
  const folder = newFolder();
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(ROOT, 'bin/hookbell.mjs'), join(folder, 'node_modules/.bin/hookbell'));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
  const file = (name: string): string => join(folder, 'hookbell', name);
  for (const kind of ['sources', 'fixtures/shop']) mkdirSync(file(kind), { recursive: true });
  const source = (message: string): void =>
    writeFileSync(
      file('sources/shop.yaml'),
      `verify: { scheme: none }\nroutes:\n  - { name: order, to: "4915112345678", send: { kind: text, message: "${message}" } }\n`,
    );
  source('Order {{ payload.id }}');
  writeFileSync(file('fixtures/shop/order.json'), '{"id": 7}');
  const expected = (message: string): void =>
    writeFileSync(
      file('fixtures/shop/order.expected.json'),
      JSON.stringify({
        messages: [{ route: 'order', kind: 'text', phone: '4915112345678', params: { message } }],
      }),
    );
  expected('Order 7');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  return { folder, before: git('rev-parse', 'HEAD'), source, expected };
}

const exited = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

/**
 * Runs a step as a runner does: its script in bash, which stops at the first failure, with the expressions of its variables filled in.
 * This process goes on meanwhile: while it stands still, the relay closes idle connections, and the next request on one fails.
 */
async function runStep(name: string, folder: string, inputs: Readonly<Record<string, string>>) {
  const step = action.runs.steps.find((one) => one.name === name);
  if (step === undefined) throw new Error(`action.yml has no step ${name}`);
  const filled = (text: string): string =>
    text.replaceAll(
      /\$\{\{ inputs\.(\w+) \}\}/g,
      (_, input: string) => inputs[input] ?? action.inputs[input]?.default ?? '',
    );
  const temp = newFolder();
  const [summary, outputs] = [join(temp, 'summary.md'), join(temp, 'outputs')];
  for (const file of [summary, outputs]) writeFileSync(file, '');
  const { code, stdout, stderr } = await promisify(execFile)(
    'bash',
    ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run],
    {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: newFolder(),
        RUNNER_TEMP: temp,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_OUTPUT: outputs,
        ...Object.fromEntries(Object.entries(step.env).map(([key, text]) => [key, filled(text)])),
      },
    },
  ).then(
    (written) => ({ code: 0, ...written }),
    (thrown: unknown) => exited.parse(thrown),
  );
  return {
    status: code,
    output: stdout + stderr,
    summary: readFileSync(summary, 'utf8'),
    outputs: readFileSync(outputs, 'utf8'),
  };
}

// Other files publish to the same relay.
afterAll(() => admin('POST', '/config/takeover', { name: 'the next test' }));

describe('the GitHub Action', () => {
  it('shows the messages before and after, with masked numbers, and gives the text for a comment', async () => {
    const { folder, before, source, expected } = checkout();
    source('New order {{ payload.id }}');
    expected('New order 7');
    const { status, summary, outputs } = await runStep('Compare the messages before and after', folder, {
      before,
    });
    expect(summary).toContain('1 fixture of 1 changed.');
    expect(summary).toMatch(/^- +message: Order 7$/m);
    expect(summary).toMatch(/^\+ +message: New order 7$/m);
    expect(summary).not.toContain('4915112345678');
    const [, comment = ''] = /^comment=(.+)$/m.exec(outputs) ?? [];
    expect(readFileSync(comment, 'utf8')).toBe(summary);
    expect(status).toBe(0);
  });

  it.each([
    ['nothing changed', (before: string) => before, 'No message changed (1 fixture).'],
    ['there is no commit before', () => '0'.repeat(40), '1 fixture\n'],
    ['the commit before is not there', () => 'f'.repeat(40), '1 fixture\n'],
  ])('says so when %s', async (_, commit, line) => {
    const { folder, before } = checkout();
    const { status, summary } = await runStep('Compare the messages before and after', folder, {
      before: commit(before),
    });
    expect(summary).toContain(line);
    expect(status).toBe(0);
  });

  it('fails when a fixture is not as expected', async () => {
    const { folder, source } = checkout();
    expect((await runStep('Check', folder, {})).status).toBe(0);
    source('Another {{ payload.id }}');
    const { status, output } = await runStep('Check', folder, {});
    expect(output).toContain('1 fixture not as expected');
    expect(status).toBe(1);
  });

  it('publishes the folder as managed in git', async () => {
    const { folder } = checkout();
    const { status, output } = await runStep('Publish', folder, { url: relayUrl(), token: TOKEN });
    expect(output).toContain('published');
    expect(status).toBe(0);
    const again = await runStep('Publish', folder, { url: relayUrl(), token: 'wrong' });
    expect(again.status).toBe(1);
  });

  it('puts no input into a script, where it could be a command', () => {
    for (const { run } of action.runs.steps) expect(run).not.toContain('${{');
  });
});
