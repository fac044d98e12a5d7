import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { demoVars } from '../../cli/dev/demo-vars.ts';
import { postCommand } from '../../cli/dev/post-command.ts';
import { shellValue } from '../../cli/dev/shell-value.ts';

const URL = 'http://localhost:8787';
const MINE = 'my "own"/token #1 & more';

const shop = (verify: object, more: object = {}): Record<string, unknown> => ({
  shop: { verify, secrets: ['SHOP_TOKEN'], routes: [], ...more },
});

const form = (more: object): Record<string, unknown> => ({
  form: { provider: 'html-form', fields: { name: { required: true }, message: {} }, routes: [], ...more },
});

function command(
  sources: Readonly<Record<string, unknown>>,
  devVars: Readonly<Record<string, string>> = { SHOP_TOKEN: MINE },
): string | null {
  const demo = demoVars(devVars, '', 'http://127.0.0.1:8788');
  return postCommand(URL, sources, shellValue(demo), (name) => demo.originOf(name) !== undefined);
}

/** The arguments that a shell makes of a command, in a folder with `.dev.vars`. */
function argumentsOf(text: string | null): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-test-'));
  try {
    writeFileSync(join(folder, '.dev.vars'), `SHOP_TOKEN='${MINE}'\n`);
    const script = `curl() { printf '%s\\n' "$@"; }\n${text ?? ''}`;
    const { SHOP_TOKEN: _, ...env } = process.env;
    return execFileSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8', env }).split('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the command that posts a webhook', () => {
  it.each([
    [{ scheme: 'token', in: 'path' }, `${URL}/hooks/shop/${encodeURIComponent(MINE)}`],
    [{ scheme: 'token', in: 'query', name: 'k&y' }, `${URL}/hooks/shop?k%26y=${encodeURIComponent(MINE)}`],
    [{ scheme: 'token', in: 'header', name: 'X-Key', prefix: '$a "b" ' }, `X-Key: $a "b" ${MINE}`],
    [{ scheme: 'basic' }, MINE],
    [{ scheme: 'none' }, `${URL}/hooks/shop`],
  ])('carries the secret of %j as the shell reads it, and never prints it', (verify, argument) => {
    const text = command(shop(verify));
    expect(text).not.toContain('own');
    expect(argumentsOf(text)).toContain(argument);
  });

  it('writes out a value of the demo’s', () => {
    const verify = { scheme: 'token', in: 'path' };
    expect(command(shop(verify, { secrets: ['ALERTMANAGER_TOKEN'] }))).toMatch(
      /^curl http:\/\/localhost:8787\/hooks\/shop\/demo-alertmanager-token \\\n    -d /,
    );
  });

  it('says on which page a form is, and passes by one that needs more than is usual', () => {
    const origins = ['https://shop.example', 'http://localhost:8788'];
    expect(argumentsOf(command(form({ origins })))).toContain('origin: https://shop.example');
    expect(argumentsOf(command(form({})))).toContain('origin: http://localhost');
    expect(command(form({ origins: 'any' }))).not.toContain('origin');
    expect(command(form({ origins, fields: { size: { required: true } } }))).toBeNull();
  });

  it('passes by sources that a person cannot post to', () => {
    const token = { scheme: 'token', in: 'path' };
    expect(command(shop({ scheme: 'hmac', header: 'X-Signature' }))).toBeNull();
    expect(command(shop({ scheme: 'token', in: 'body', path: 'token' }))).toBeNull();
    expect(command(shop(token, { provider: 'alertmanager' }))).toBeNull();
    expect(command(shop(token), {})).toBeNull();
    expect(command({})).toBeNull();
    const open = { open: { verify: { scheme: 'none' }, routes: [] } };
    expect(command({ ...shop({ scheme: 'hmac' }), ...open })).toMatch(/\/hooks\/open /);
  });
});
