import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { folderWith, TOKEN, expectSays } from './offline.ts';
import { failingGateway, OPEN_SET, publish } from './relay.ts';
import { hookbell, phoneUrl } from './support.ts';

const words = { status: z.string(), detail: z.string(), remedy: z.optional(z.string()) };
const check = z.object({ id: z.string(), ...words });
const report = z.object({ checks: z.array(check) });

/** The findings of `doctor --json`, whatever its exit code. */
async function found(args = '', env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await hookbell(`doctor --json ${args}`, { env });
  const { checks } = report.parse(JSON.parse(stdout));
  const statusOf = (id: string): string | undefined => checks.find((one) => one.id === id)?.status;
  const failed = checks.filter(({ status }) => status === 'fail');
  return { code, text: stdout + stderr, stderr, checks, statusOf, failed };
}

const files = (message: string) => {
  const { open } = OPEN_SET.sources;
  const routes = [{ ...open.routes[0], send: { kind: 'text', message } }];
  return {
    'sources/open.yaml': JSON.stringify({ ...open, routes }),
    'accounts/default.yaml': JSON.stringify(OPEN_SET.accounts.default),
  };
};

describe('doctor', () => {
  beforeEach(() => publish());

  it('looks from outside and from inside, fails only when something does, and shows no secret', async () => {
    const { code, checks, failed, statusOf, text } = await found();
    expect([code, failed]).toEqual([0, []]);
    const first = ['relay', 'token', 'version', 'own-clock', 'secrets', 'config', 'config-copy'];
    expect(checks.map(({ id }) => id).slice(0, 7)).toEqual(first);
    for (const id of [...first, 'hooks']) expect([id, statusOf(id)]).toEqual([id, 'ok']);
    expect(statusOf('source:open:open')).toBe('warn');
    for (const secret of [TOKEN, 'gateway-key-of-the-tests', 'relay@example.com'])
      expect(text).not.toContain(secret);
  });

  it('compares a folder with what is in force', async () => {
    const compared = (message: string) => found(`${folderWith(files(message))} --no-probe`);
    expect((await compared('Hello {{ payload.name }}')).statusOf('folder')).toBe('ok');
    const other = await compared('Bye {{ payload.name }}');
    expect([other.code, other.statusOf('folder')]).toEqual([0, 'warn']);
    expect(other.checks.at(-1)?.detail).toMatch(/^1 document of .* differs from the active version$/);
    const wrong = await compared('{{ payload.name | mony }}');
    expect([wrong.code, wrong.statusOf('folder')]).toEqual([1, 'fail']);
    expect((await found('/nowhere --no-probe')).statusOf('folder')).toBe('fail');
  });

  it('stops where nothing else can be known: no relay, no token', async () => {
    const gone = await found('', { HOOKBELL_URL: 'http://localhost:1' });
    expect([gone.code, gone.checks]).toMatchObject([1, [{ id: 'relay', status: 'fail' }]]);
    const shut = await found('', { HOOKBELL_TOKEN: 'wrong-token-0123456789' });
    expect([shut.code, shut.statusOf('token')]).toEqual([1, 'fail']);
    expect(shut.text).not.toContain('wrong-token');
  });
});

describe('doctor, when messages fail at the gateway', () => {
  const circuit = { failures: 1, probe: '1h' };
  beforeEach(() =>
    publish({ ...OPEN_SET, accounts: { default: { ...OPEN_SET.accounts.default, circuit } } }),
  );

  it.each([
    [{ failure: 'status', status: 500 }, 'the gateway answered 500: it failed', 'resume'],
    [{ failure: 'reset' }, 'the connection was lost', 'resume'],
    [{ failure: 'status', status: 401 }, 'rejects the credentials', '.dev.vars'],
  ])('by %j: one check fails, with the last words, the time and what to do', async (step, words, remedy) => {
    await failingGateway(step);
    const { code, checks, failed, stderr } = await found();
    expect([code, failed.map(({ id }) => id)]).toEqual([1, ['gateway:default']]);
    expect(stderr).toContain('1 check failed');
    const [{ detail, remedy: said } = { detail: '' }] = failed;
    expectSays(detail, /(the last at|paused since) \d{4}-\d\d-\d\dT/, words);
    // Of other tests, too, which use the same relay.
    expect(detail).toMatch(/; \d+ messages? waiting\. A test call just now: answers/);
    expect(said).toContain(remedy);
    // Nothing beside it says that deliveries are well.
    expect(checks.filter(({ id }) => id === 'accounts')).toEqual([]);
    const { stdout } = await hookbell('doctor');
    expect(stdout).toMatch(/✗ Gateway +(failed|refuses)/);
    expect(stdout).not.toMatch(/\dT\d\d:/);
  });

  it('says the same without a call of the gateway, and sends no message by one', async () => {
    await failingGateway({ failure: 'status', status: 500 });
    const call = z.object({ to: z.nullable(z.string()), delivered: z.boolean() });
    const messages = async (): Promise<number> => {
      const calls: unknown = await (await fetch(`${phoneUrl()}/_control/calls`)).json();
      const { items } = z.object({ items: z.array(call) }).parse(calls);
      return items.filter(({ to, delivered }) => to !== null || delivered).length;
    };
    const before = await messages();
    await hookbell('doctor');
    expect(await messages()).toBe(before);
    const { failed } = await found('--no-probe');
    expect(failed).toMatchObject([{ id: 'gateway:default' }]);
    expect(failed[0]?.detail).not.toContain('A call without content');
  });
});
