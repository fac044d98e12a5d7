import { env } from 'cloudflare:workers';

/** The name of the binding that stands for the objects of the deployment that a test file has. */
const OBJECTS = 'OBJECTS_OF_THIS_FILE';

/** The plugin knows a namespace by the name of its class. It only asks it for an id. */
class DurableObjectNamespace {
  newUniqueId(): never {
    throw new Error('it makes no objects');
  }
  idFromName(): never {
    return this.newUniqueId();
  }
  get(): never {
    return this.newUniqueId();
  }
  idFromString(id: string): DurableObjectId {
    try {
      return env.OUTBOX.idFromString(id);
    } catch {
      return env.REGISTRY.idFromString(id);
    }
  }
}

/**
 * The plugin parses its options at each call of the Worker and of an object, and looks for an object's namespace among all of them. With those
 * of a hundred deployments that took a tenth of a run: here it has one.
 */
export function shortenPluginOptions(): void {
  const worker: unknown = Reflect.get(globalThis, '__vitest_worker__');
  const provided: unknown = worker instanceof Object ? Reflect.get(worker, 'providedContext') : null;
  const options: unknown = provided instanceof Object ? Reflect.get(provided, 'cloudflarePoolOptions') : null;
  if (!(provided instanceof Object) || typeof options !== 'string')
    throw new Error('this plugin keeps its options elsewhere: find them, or do without');
  const parsed: unknown = JSON.parse(options);
  const short = Object.assign({}, parsed, { durableObjectBindingDesignators: [[OBJECTS, {}]] });
  Reflect.set(provided, 'cloudflarePoolOptions', JSON.stringify(short));
  Object.assign(env, { [OBJECTS]: new DurableObjectNamespace() });
}
