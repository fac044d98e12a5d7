/** Matches the name of a secret, which is that of an environment variable. */
export const SECRET_NAME = /^[A-Z][A-Z0-9_]{0,127}$/;

/** Undefined if it is not set, empty, or a binding. `env`: the Worker's environment. */
export function secret(env: object, name: string): string | undefined {
  const value: unknown = SECRET_NAME.test(name) ? Reflect.get(env, name) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value of a variable that is not a secret: a text, or a number in `wrangler.toml`. */
export function variable(env: object, name: string): string | undefined {
  const value: unknown = Reflect.get(env, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Shorter values are common words; redacting them would make texts unreadable. */
const MIN_SECRET_LENGTH = 6;

/** Variables whose values occur in ordinary texts. */
const WORDS = /_BASE_URL$|^PUBLIC_URL$|^GATEWAY_(STAND_INS|HOSTS)$|^VIEWER_SEES$/;

/** Variables look like secrets, so they are included, except base URLs and words. */
export const secretValues = (env: object): readonly string[] =>
  Object.keys(env).flatMap((name) => {
    const value = secret(env, name) ?? '';
    return value.length < MIN_SECRET_LENGTH || WORDS.test(name) ? [] : [value];
  });
