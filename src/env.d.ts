/**
 * The bindings of `wrangler.toml`. Secrets and variables stand beside them and are read by name: `lib/secret.ts`.
 * Ambient, since the objects are called over RPC by folders that they are built on: nobody imports an object to call it.
 */
declare namespace Cloudflare {
  interface Env {
    readonly CONFIG: KVNamespace;
    /** `assets/`: what people and their tools need, and webhooks do not. */
    readonly ASSETS: Fetcher;
    readonly OUTBOX: DurableObjectNamespace<import('./outbox/outbox.ts').Outbox>;
    readonly REGISTRY: DurableObjectNamespace<import('./registry/registry.ts').Registry>;
  }
}

interface Env extends Cloudflare.Env {}
