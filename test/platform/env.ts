import { env } from 'cloudflare:workers';

/** The real bindings of the relay of the tests, on workerd, with some changed; undefined takes one away. */
export const envWith = (changes: Readonly<Record<string, unknown>> = {}): Env =>
  new Proxy<Env>(env, {
    get: (target, name): unknown =>
      typeof name === 'string' && Object.hasOwn(changes, name) ? changes[name] : Reflect.get(target, name),
  });

/** The real namespace with some of its methods replaced. */
export const kvWith = (changes: { readonly get?: unknown; readonly put?: unknown }): KVNamespace =>
  new Proxy(env.CONFIG, {
    get: (target, name): unknown => {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name);
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
