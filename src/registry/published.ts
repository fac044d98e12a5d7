import type { FieldError } from '../lib/problem.ts';

/** The reason why a publish was refused; nothing was changed. `status`: the status of the admin API's answer. */
export interface PublishRefusal {
  readonly status: 404 | 409 | 412 | 413 | 422;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** The version in force, if the change was meant for another one. */
  readonly inForce?: number;
  /** The kind of 409: the set is managed in git, or is not; absent: the document is in use. */
  readonly conflict?: 'managed' | 'conflict';
}

export interface PublishReceipt {
  readonly version: number;
  /** The `Published` of `load.ts` as JSON, since documents of any shape lose their types in an RPC. */
  readonly published: string;
  readonly warnings: readonly FieldError[];
}
