import { expect, it } from 'vitest';
import { z } from 'zod';
import { OPEN_SET, admin, post, publish } from '../relay.ts';
import { hookbell, relayUrl, shown, start } from '../support.ts';

it('export writes every event with its payload as a line, oldest first, and goes on after any of them', async () => {
  await publish();
  const posted: string[] = [];
  for (const n of [0, 1, 2]) posted.push((await post('open', { n })).event);
  const { stdout, stderr } = await hookbell('export --source open');
  const line = z.object({ id: z.string(), payload: z.unknown(), messages: z.array(z.unknown()) });
  const eventsIn = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((one) => line.parse(JSON.parse(one)));
  const events = eventsIn(stdout);
  expect(events.slice(-3).map(({ id }) => id)).toEqual(posted);
  expect(events.at(-1)?.payload).toEqual({ n: 2 });
  expect(stderr).toBe(`${events.length} events written\n`);
  const rest = eventsIn(await shown(`export --since ${posted[0]}`));
  expect(rest.map(({ id }) => id)).toEqual(posted.slice(1));
});

it('export ends quietly when its reader has enough', async () => {
  const running = start('export');
  running.child.stdout?.destroy();
  const { code, stderr } = await running.done;
  expect(stderr).not.toContain('EPIPE');
  expect([0, null]).toContain(code);
});

/** Runs it until the window is open. */
async function opened() {
  await publish({ ...OPEN_SET, sources: { tasks: { provider: 'asana', routes: [] } } });
  const pressed = Promise.withResolvers<() => void>();
  const done = hookbell('pair tasks', { onInterrupt: pressed.resolve });
  return { press: await pressed.promise, done };
}

const handOver = (key: string): Promise<Response> =>
  fetch(`${relayUrl()}/hooks/tasks`, {
    method: 'POST',
    headers: { 'x-hook-secret': key, 'user-agent': 'Asana' },
    body: '{}',
  });

it('pair waits for the key that a provider hands over, and shows it with what to do', async () => {
  const { done } = await opened();
  expect((await handOver('key-of-the-tests-1')).status).toBe(200);
  const { code, stdout } = await done;
  expect(code).toBe(0);
  expect(stdout).toMatch(/^key-of-the-tests-1\n/);
  expect(stdout).toMatch(/^sent at .* by .* \(Asana\)$/m);
  expect(stdout).toContain('as a line TASKS_WEBHOOK_SECRET=… in .dev.vars');
});

it('pair shows no key when two different ones came, and says who offered them', async () => {
  const { done } = await opened();
  for (const key of ['key-of-a-stranger', 'key-of-the-tests-3']) await handOver(key);
  const { code, stdout, stderr } = await done;
  // Between the two the command may have taken the first: then the relay says that it is void.
  if (code === 0) expect(await admin('GET', '/sources/tasks/pair')).toMatchObject({ state: 'void' });
  else {
    expect(stdout).not.toContain('key-of');
    expect(stderr).toMatch(/both are void/);
    expect(stderr.match(/by .* \(Asana\)/g)).toHaveLength(2);
  }
});

it('pair closes the window on Ctrl-C', async () => {
  const { press, done } = await opened();
  press();
  expect(await done).toMatchObject({ code: 130 });
  expect(await admin('GET', '/sources/tasks/pair')).toMatchObject({ state: 'closed' });
  expect((await handOver('key-of-the-tests-2')).status).not.toBe(200);
});
