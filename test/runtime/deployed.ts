/** The names of bindings that a deployment has of its own. */
const OWN = ['CONFIG', 'OUTBOX', 'REGISTRY'] as const;

/** The own bindings of deployment `n`, in a runtime that has several. */
export const bindingsOf = (env: object, n: number): object =>
  Object.fromEntries(OWN.map((name) => [name, Reflect.get(env, `${name}_${n}`)]));

/** The environment that deployment `n` sees. */
export const envOf = (env: Env, n: number): Env => ({ ...env, ...bindingsOf(env, n) });
