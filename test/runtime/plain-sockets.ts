/**
 * Vitest sends each runtime the code of its modules over a WebSocket of this machine, and both ends would compress it. That
 * takes a fifth of the time of all tests. Miniflare has no option for it: here, its sockets do not offer to compress.
 */
import { createRequire } from 'node:module';

const ofMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'));
const Socket: unknown = ofMiniflare('ws');
const loaded = ofMiniflare.cache[ofMiniflare.resolve('ws')];
if (typeof Socket !== 'function' || loaded === undefined)
  throw new Error('this Miniflare connects by other means than the class of `ws`: find them');

loaded.exports = new Proxy(Socket, {
  construct: (target, [address, protocols, options]: readonly unknown[], newTarget) => {
    const plain: unknown = Object.assign({}, options, { perMessageDeflate: false });
    const socket: unknown = Reflect.construct(target, [address, protocols, plain], newTarget);
    if (socket instanceof Object) return socket;
    throw new TypeError('a class makes objects');
  },
});
