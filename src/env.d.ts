import type { Outbox } from './outbox/outbox.ts';
import type { Registry } from './registry/registry.ts';

declare global {
  namespace Cloudflare {
    /**
     * The bindings of `wrangler.toml`. Secrets and variables are read by name: `lib/secret.ts`. The type is ambient,
     * since lower folders call the objects over RPC, and none imports an object to call it.
     */
    interface Env {
      readonly CONFIG: KVNamespace;
      /** `assets/`: files for people and their tools, and the facts on phone numbers and providers. */
      readonly ASSETS: Fetcher;
      readonly OUTBOX: DurableObjectNamespace<Outbox>;
      readonly REGISTRY: DurableObjectNamespace<Registry>;
    }
  }

  interface Env extends Cloudflare.Env {}
}
