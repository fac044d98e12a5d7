import { once } from 'node:events';

/** A CPU profile, as V8 gives it. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

export interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

interface Target {
  readonly id: string;
  readonly title: string;
  readonly webSocketDebuggerUrl: string;
}

const SAMPLE_EACH_US = 250;

/** Profiles one Worker of a workerd that has its inspector at this port, from now until the returned function is called. */
export async function profile(port: number, worker: string): Promise<() => Promise<CpuProfile>> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as readonly Target[];
  const target = targets.find(({ id, title }) => id === worker || title.includes(worker));
  if (target === undefined) throw new Error(`the inspector has no ${worker}: ${JSON.stringify(targets)}`);
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await once(socket, 'open');
  let asked = 0;
  const ask = (method: string, params: object = {}): Promise<unknown> => {
    const id = (asked += 1);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    socket.addEventListener('message', function listen({ data }) {
      const answer = JSON.parse(String(data)) as { id?: number; result?: unknown; error?: unknown };
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
    const { profile: taken } = (await ask('Profiler.stop')) as { profile: CpuProfile };
    socket.close();
    return taken;
  };
}
