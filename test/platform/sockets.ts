/** In Node, in the place of `cloudflare:sockets`. Nothing there connects. */
export const connect = (): never => {
  throw new Error('a test in Node opens no socket: run it on workerd, as `*.workerd.test.ts`');
};
