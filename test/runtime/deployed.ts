/** The names of bindings that a deployment has of its own. */
const OWN = ['CONFIG', 'OUTBOX', 'REGISTRY'] as const;

/** What deployment `n` sees of a runtime that has several. */
export const bindingsOf = (env: object, n: number): object =>
  Object.fromEntries(OWN.map((name) => [name, Reflect.get(env, `${name}_${n}`)]));

type ObjectClass = new (ctx: DurableObjectState, env: Env) => object;

/** The class of a Durable Object that sees only deployment `n`, whatever file runs when it wakes up. */
export function deployed<Class extends ObjectClass>(objectClass: Class, n: number): Class {
  return new Proxy(objectClass, {
    construct: (target, [ctx, env], newTarget): object =>
      Reflect.construct(target, [ctx, { ...env, ...bindingsOf(env, n) }], newTarget),
  });
}
