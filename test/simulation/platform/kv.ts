import type { Parts } from './parts.ts';
import { currentInvocation, io, spendCall } from './owner.ts';
import { refusing } from './refusing.ts';
import { asRead } from './seams.ts';

/** A place remembers what it has read for so long, unless the reader says otherwise; less than the least is refused. */
const DEFAULT_CACHE_S = 60;
const LEAST_CACHE_S = 30;

/** No place shows what was replaced longer ago. */
const MOST_BEHIND_MS = 60_000;

/** One write a second for a key. */
const WRITE_EACH_MS = 1_000;

interface Version {
  readonly at: number;
  readonly value: string | null;
}

/** Workers KV: one central store, and what each place has cached of it, a missing key too. */
export class Kv {
  readonly #parts: Parts;
  readonly #versions = new Map<string, Version[]>();
  readonly #cached = new Map<string, { readonly value: string | null; readonly until: number }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The binding as it is at a place. */
  at(place: string): object {
    return refusing('a KV namespace', {
      get: (key: string, options: unknown) => this.#get(place, key, options),
      put: (key: string, value: string) => this.#write(place, key, value),
      delete: (key: string) => this.#write(place, key, null),
    });
  }

  #get(place: string, key: string, options: unknown): Promise<string | null> {
    const { scheduler, faults, latency, seams } = this.#parts;
    const ttl =
      typeof options === 'object' && options !== null && 'cacheTtl' in options
        ? Number(options.cacheTtl)
        : DEFAULT_CACHE_S;
    if (ttl < LEAST_CACHE_S)
      throw new Error(`Invalid cache_ttl of ${ttl}. Cache TTL must be at least ${LEAST_CACHE_S}.`);
    const invocation = currentInvocation('KV get');
    return io(invocation, ({ resolve, reject }) => {
      spendCall(invocation);
      scheduler.after(latency(), () => {
        if (faults.failsKv(place, 'get'))
          return void scheduler.after(latency(), () =>
            reject(new Error('KV GET failed: 500 Internal Server Error')),
          );
        const value = asRead(seams, this.#read(place, key, ttl));
        scheduler.after(latency(), () => resolve(value));
      });
    });
  }

  #read(place: string, key: string, ttl: number): string | null {
    const { scheduler, faults } = this.#parts;
    const name = `${place}/${key}`;
    const known = this.#cached.get(name);
    if (known !== undefined && known.until > scheduler.now) return known.value;
    const behindMs = faults.kvBehindMs(place);
    const seenAt = scheduler.now - behindMs;
    const value = (this.#versions.get(key) ?? []).findLast(({ at }) => at <= seenAt)?.value ?? null;
    // A value that was stale already is not remembered as long: a minute in all.
    const forMs = Math.min(ttl * 1_000, MOST_BEHIND_MS - behindMs);
    this.#cached.set(name, { value, until: scheduler.now + forMs });
    return value;
  }

  #write(place: string, key: string, value: string | null): Promise<void> {
    const { scheduler, faults, latency } = this.#parts;
    const invocation = currentInvocation('KV put');
    return io<void>(invocation, ({ resolve, reject }) => {
      spendCall(invocation);
      invocation.owner.released(() =>
        scheduler.after(latency(), () => {
          const versions = this.#versions.get(key) ?? [];
          const last = versions.at(-1);
          const isTooSoon = last !== undefined && scheduler.now - last.at < WRITE_EACH_MS;
          if (isTooSoon || faults.failsKv(place, 'put')) {
            const status = isTooSoon ? '429 Too Many Requests' : '500 Internal Server Error';
            return void scheduler.after(latency(), () => reject(new Error(`KV PUT failed: ${status}`)));
          }
          const first = versions.findLastIndex(({ at }) => at <= scheduler.now - MOST_BEHIND_MS);
          const visible = versions.slice(Math.max(0, first));
          this.#versions.set(key, [...visible, { at: scheduler.now, value }]);
          // Seen at once where it was written.
          this.#cached.delete(`${place}/${key}`);
          scheduler.after(latency(), () => resolve());
        }),
      );
    });
  }
}
