import type { Outbox } from './outbox/outbox.ts';
import type { Registry } from './registry/registry.ts';

declare global {
  namespace Cloudflare {
    /**
     * The bindings of `wrangler.toml`. Secrets and variables stand beside them and are read by name: `lib/secret.ts`.
     * Ambient, since the objects are called over RPC by folders that they are built on: nobody imports one to call it.
     */
    interface Env {
      readonly CONFIG: KVNamespace;
      /** `assets/`: what people and their tools need, and webhooks do not. */
      readonly ASSETS: Fetcher;
      readonly OUTBOX: DurableObjectNamespace<Outbox>;
      readonly REGISTRY: DurableObjectNamespace<Registry>;
    }
  }

  interface Env extends Cloudflare.Env {}
}
