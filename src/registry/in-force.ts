import { publishedJson, type CopiedVersion, type KvCopy } from './kv-copy.ts';
import { inUse, type Versions } from './versions.ts';

/** A part beside the set; undefined if there is nothing in it. */
interface PartAsJson {
  json(now: number): string | undefined;
}

interface InForceParts {
  readonly versions: Versions;
  readonly removed: PartAsJson;
  readonly silences: PartAsJson;
  readonly overrides: PartAsJson;
  readonly suppressions: PartAsJson;
  readonly copy: KvCopy;
}

/** A changed part beside the set, and the `Published` of `load.ts` with or without it, as JSON. */
export interface ChangedPart<Part> {
  readonly part: Part;
  readonly published: string | null;
}

/** The set in force, with the parts beside it, which change without a new version. */
export class InForce {
  readonly #storage: Pick<DurableObjectStorage, 'transactionSync'>;
  readonly #parts: () => InForceParts;

  constructor(storage: Pick<DurableObjectStorage, 'transactionSync'>, parts: () => InForceParts) {
    this.#storage = storage;
    this.#parts = parts;
  }

  read(): CopiedVersion {
    const { versions, removed, silences, overrides, suppressions } = this.#parts();
    const publicUrl = versions.publicUrl();
    const now = Date.now();
    return {
      ...versions.active(),
      removed: removed.json(now),
      silences: silences.json(now),
      overrides: overrides.json(now),
      suppressions: suppressions.json(now),
      publicUrl: publicUrl === null ? undefined : JSON.stringify(publicUrl),
    };
  }

  /** The same as JSON, with the set; null if its version is gone. */
  json(): string | null {
    const stored = this.#parts().versions.read();
    return stored === null ? null : publishedJson(this.read(), inUse(stored));
  }

  /** Activates the same version again. If `change` returns no part, nothing has changed. */
  async change<Part extends object, Refusal extends string | null = null>(
    change: () => Part | Refusal,
  ): Promise<ChangedPart<Part> | Refusal> {
    const { versions, copy } = this.#parts();
    const part = this.#storage.transactionSync(() => {
      const changed = change();
      if (isPart(changed)) versions.activate(versions.active().version);
      return changed;
    });
    if (!isPart(part)) return part;
    // Without an await between them: the text must be that of this change, and the alarm part of its commit.
    const published = this.json();
    await copy.runSoon();
    return { part, published };
  }
}

const isPart = <Part extends object>(value: Part | string | null): value is Part =>
  typeof value === 'object' && value !== null;
