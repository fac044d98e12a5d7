import { refusing } from './refusing.ts';
import type { ObjectHost } from './object.ts';
import { lossError } from './loss.ts';
import { currentInvocation, io, spendCall } from './owner.ts';
import type { Parts } from './parts.ts';
import { asRead } from './seams.ts';

/** Calls by one stub arrive so long after each other at least (ms): steps of one moment would go in any order. */
const APART_MS = 0.001;

/** A namespace of objects, as its binding shows it. */
export function namespaceOf(
  className: string,
  find: (className: string, name: string) => ObjectHost,
  parts: Parts,
): object {
  const idOf = (name: string): object => ({ name, toString: () => `${className}/${name}` });
  const stubOf = (name: string): object => stub(find(className, name), parts);
  return refusing('a namespace of objects', {
    idFromName: idOf,
    getByName: (name: string) => stubOf(name),
    get: (id: { name: string }) => stubOf(id.name),
  });
}

/** Each method that is asked of it is a call of the object. Calls by one stub arrive in their order. */
function stub(host: ObjectHost, parts: Parts): object {
  const { scheduler, latency, faults, seams } = parts;
  let lastAt = 0;
  const back = (end: () => void): void => void scheduler.after(latency(), end);
  const call = (method: string, args: readonly unknown[]): Promise<unknown> => {
    const invocation = currentInvocation(`a call of ${host.id}`);
    return io(invocation, ({ resolve, reject }) => {
      spendCall(invocation);
      const sent = method === 'fetch' ? args : structuredClone(args).map((one) => asRead(seams, one));
      invocation.owner.released(() => {
        lastAt = Math.max(lastAt + APART_MS, scheduler.now + latency());
        scheduler.at(lastAt, () => {
          const loss = faults.callLost(invocation.owner.className);
          if (loss === 'before') return back(() => reject(lossError('connection')));
          host.receive({
            method,
            args: sent,
            answer: {
              resolve: (value) =>
                back(() =>
                  loss === 'after' ? reject(lossError('connection')) : resolve(asRead(seams, value)),
                ),
              reject: (error) => back(() => reject(error)),
            },
          });
        });
      });
    });
  };
  return new Proxy(
    {},
    {
      // Not a promise.
      get: (_target, method): unknown =>
        typeof method === 'symbol' || method === 'then'
          ? undefined
          : (...args: unknown[]) => call(method, args),
    },
  );
}
