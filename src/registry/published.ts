import type { FieldError } from '../lib/problem.ts';

/** Why a publish was refused: `status` as the admin API answers it. Nothing was changed. */
export interface PublishRefusal {
  readonly status: 404 | 409 | 412 | 413 | 422;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** Which version is in force, when the change was meant for another one. */
  readonly inForce?: number;
}

export interface PublishReceipt {
  readonly version: number;
  /** The `Published` of `load.ts` as JSON: documents of any shape do not cross an RPC with their types. */
  readonly published: string;
  readonly warnings: readonly FieldError[];
}
