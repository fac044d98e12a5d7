import { once } from 'node:events';
import * as z from 'zod/mini';

const node = z.looseObject({
  id: z.number(),
  callFrame: z.looseObject({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
  children: z.optional(z.array(z.number())),
});
const cpuProfile = z.looseObject({
  nodes: z.array(node),
  samples: z.array(z.number()),
  /** Microseconds before each sample. */
  timeDeltas: z.array(z.number()),
});

/** A CPU profile, as V8 gives it; files of it hold more than is read here. */
export type CpuProfile = z.output<typeof cpuProfile>;
export type ProfileNode = z.output<typeof node>;

const answerSchema = z.object({
  id: z.optional(z.number()),
  result: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
});
const stopped = z.object({ profile: cpuProfile });

interface Target {
  readonly id: string;
  readonly title: string;
  readonly webSocketDebuggerUrl: string;
}

const SAMPLE_EACH_US = 250;

/** Profiles one Worker of a workerd that has its inspector at this port, from now until the returned function is called. */
export async function profile(port: number, worker: string): Promise<() => Promise<CpuProfile>> {
  const targets = await (await fetch(`http://127.0.0.1:${port}/json`)).json<readonly Target[]>();
  const target = targets.find(({ id, title }) => id === worker || title.includes(worker));
  if (target === undefined) throw new Error(`the inspector has no ${worker}: ${JSON.stringify(targets)}`);
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await once(socket, 'open');
  let asked = 0;
  const ask = (method: string, params: object = {}): Promise<unknown> => {
    const id = (asked += 1);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    socket.addEventListener('message', function listen({ data }) {
      const answer = answerSchema.parse(JSON.parse(String(data)));
      if (answer.id !== id) return;
      socket.removeEventListener('message', listen);
      if (answer.error === undefined) resolve(answer.result);
      else reject(new Error(`${method}: ${JSON.stringify(answer.error)}`));
    });
    socket.addEventListener('close', () => reject(new Error(`the inspector left during ${method}`)));
    socket.send(JSON.stringify({ id, method, params }));
    return promise;
  };
  await ask('Profiler.enable');
  await ask('Profiler.setSamplingInterval', { interval: SAMPLE_EACH_US });
  await ask('Profiler.start');
  return async () => {
    const { profile: taken } = stopped.parse(await ask('Profiler.stop'));
    socket.close();
    return taken;
  };
}
