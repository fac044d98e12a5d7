/** Names that Liquid takes after a dot. */
const NAME = /^[A-Za-z_]\w*(-\w+)*$/;

/** The path of a value in `path`, as a template writes it: `payload.items[0].name`, `payload["odd key"]`. */
export const childPath = (path: string, key: string | number): string =>
  typeof key === 'string' && NAME.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
