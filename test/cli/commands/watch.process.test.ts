import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPEN_SET, admin, hookbell, post, publish, relayUrl, start, until } from '../support.ts';

describe('export', () => {
  it('writes every event with its payload as a line, oldest first, and goes on after any of them', async () => {
    await publish();
    const posted: string[] = [];
    for (let n = 0; n < 3; n += 1) posted.push((await post('open', { n })).event);
    const { code, stdout, stderr } = await hookbell(['export', '--source', 'open']);
    expect(code).toBe(0);
    const line = z.object({ id: z.string(), payload: z.unknown(), messages: z.array(z.unknown()) });
    const events = stdout
      .trim()
      .split('\n')
      .map((text) => line.parse(JSON.parse(text)));
    expect(events.slice(-3).map(({ id }) => id)).toEqual(posted);
    expect(events.at(-1)?.payload).toEqual({ n: 2 });
    expect(stderr).toBe(`${events.length} events written\n`);

    const rest = await hookbell(['export', '--since', posted[0] ?? '']);
    expect(
      rest.stdout
        .trim()
        .split('\n')
        .map((text) => line.parse(JSON.parse(text)).id),
    ).toEqual(posted.slice(1));
  });

  it('takes a time and how long ago, and no nonsense', async () => {
    expect((await hookbell(['export', '--since', '1ms'])).stdout).toBe('');
    expect((await hookbell(['export', '--since', 'evt_1'])).code).toBe(2);
    expect((await hookbell(['export', '--since', 'soon'])).code).toBe(1);
  });

  it('ends quietly when its reader has enough', async () => {
    const running = start(['export']);
    running.child.stdout?.destroy();
    const { code, stderr } = await running.done;
    expect(stderr).not.toContain('EPIPE');
    expect([0, null]).toContain(code);
  });
});

const asana = { ...OPEN_SET, sources: { tasks: { provider: 'asana', routes: [] } } };
const handOver = (key: string): Promise<Response> =>
  fetch(`${relayUrl()}/hooks/tasks`, {
    method: 'POST',
    headers: { 'x-hook-secret': key, 'user-agent': 'Asana' },
    body: '{}',
  });

describe('pair', () => {
  it('waits for the key that a provider hands over, and shows it with what to do', async () => {
    await publish(asana);
    const pair = start(['pair', 'tasks']);
    await until(() => pair.written().stderr.includes('is open until'), 'the window');
    expect((await handOver('key-of-the-tests-1')).status).toBe(200);
    const { code, stdout } = await pair.done;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^key-of-the-tests-1\n/);
    expect(stdout).toMatch(/^sent at .* by .* \(Asana\)$/m);
    expect(stdout).toContain('as a line TASKS_WEBHOOK_SECRET=… in .dev.vars');
  });

  it('shows no key when two different ones came, and says who offered them', async () => {
    await publish(asana);
    const pair = start(['pair', 'tasks']);
    await until(() => pair.written().stderr.includes('is open until'), 'the window');
    for (const key of ['key-of-a-stranger', 'key-of-the-tests-3']) await handOver(key);
    const { code, stdout, stderr } = await pair.done;
    // Between the two the command may have taken the first: then the relay says that it is void.
    if (code === 0) expect(await admin('GET', '/sources/tasks/pair')).toMatchObject({ state: 'void' });
    else {
      expect(stdout).not.toContain('key-of');
      expect(stderr).toMatch(/both are void/);
      expect(stderr.match(/by .* \(Asana\)/g)).toHaveLength(2);
    }
  });

  it('closes the window on Ctrl-C', async () => {
    await publish(asana);
    const pair = start(['pair', 'tasks']);
    await until(() => pair.written().stderr.includes('is open until'), 'the window');
    pair.child.kill('SIGINT');
    expect(await pair.done).toMatchObject({ code: 130 });
    expect(await admin('GET', '/sources/tasks/pair')).toMatchObject({ state: 'closed' });
    expect((await handOver('key-of-the-tests-2')).status).not.toBe(200);
  });

  it('says so when a provider hands over no key, or a source is unknown', async () => {
    await publish();
    expect((await hookbell(['pair', 'opn'])).stderr).toMatch(/no source `opn`; did you mean `open`\?/);
    expect((await hookbell(['pair', 'open'])).stderr).toMatch(/needs no pairing/);
  });
});
