/**
 * The relay on a namespace that has jurisdictions, which the local runtime does not implement. It wraps the real namespace: an
 * object within a jurisdiction has another id than one of the same name without, as on the platform. Whatever is asked of it is
 * logged; that Cloudflare keeps such an object where it says is not shown by any test here.
 */
import relay, { Outbox as RelayOutbox, Registry as RelayRegistry } from '../clock/relay.ts';

const wrapped = new WeakMap<object, Env>();

/** The same bindings for everybody: what is read from KV is remembered by its binding. */
function wrap(env: Env): Env {
  const known = wrapped.get(env.CONFIG);
  if (known !== undefined) return known;
  const made = { ...env, OUTBOX: within(env, 'OUTBOX', null), REGISTRY: within(env, 'REGISTRY', null) };
  wrapped.set(env.CONFIG, made);
  return made;
}

/** The objects within a jurisdiction are those of another namespace, `OUTBOX_EU`. */
function within<Name extends 'OUTBOX' | 'REGISTRY'>(
  env: Env,
  binding: Name,
  jurisdiction: string | null,
): Env[Name] {
  const own = jurisdiction === null ? binding : `${binding}_${jurisdiction.toUpperCase()}`;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- test/e2e/jurisdiction.test.ts binds it
  const namespace = Reflect.get(env, own) as Env[Name];
  return new Proxy(namespace, {
    get: (target, key): unknown => {
      if (key === 'jurisdiction') return (name: string) => within(env, binding, name);
      if (key !== 'getByName') throw new Error(`nobody asks a namespace for ${String(key)}`);
      return (name: string, options?: DurableObjectNamespaceGetDurableObjectOptions) => {
        const asked = { binding, jurisdiction, name, hint: options?.locationHint ?? null };
        // oxlint-disable-next-line eslint/no-console -- looked for in the runtime's output
        console.log(`asked ${JSON.stringify(asked)}`);
        return target.getByName(name, options);
      };
    },
  });
}

export class Outbox extends RelayOutbox {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, wrap(env));
  }
}

export class Registry extends RelayRegistry {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, wrap(env));
  }
}

export class OutboxEu extends Outbox {}
export class RegistryEu extends Registry {}
export class OutboxFedramp extends Outbox {}
export class RegistryFedramp extends Registry {}

export default {
  ...relay,
  fetch: (request, env, ctx) => relay.fetch(request, wrap(env), ctx),
} satisfies ExportedHandler<Env>;
