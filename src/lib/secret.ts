/** What a secret's name looks like: an environment variable's. */
export const SECRET_NAME = /^[A-Z][A-Z0-9_]{0,127}$/;

/** The value of the secret or variable `name`; undefined when it is not set, empty, or the name of a binding. `env`: the Worker's. */
export function secret(env: object, name: string): string | undefined {
  const value: unknown = SECRET_NAME.test(name) ? Reflect.get(env, name) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A variable that is no secret: text, or a number where `wrangler.toml` has one. */
export function variable(env: object, name: string): string | undefined {
  const value: unknown = Reflect.get(env, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Shorter ones are words that a text has anyway; redacting them would shred it. */
const MIN_SECRET_LENGTH = 6;

/** The values of all secrets that are set. Variables look the same; of them only addresses are known to be none. */
export const secretValues = (env: object): readonly string[] =>
  Object.keys(env).flatMap((name) => {
    const value = secret(env, name) ?? '';
    return value.length < MIN_SECRET_LENGTH || name.endsWith('_BASE_URL') ? [] : [value];
  });
