/** One refused request, as the list of recent rejections shows it, without its body. */
export interface RejectionEntry {
  readonly at: string;
  readonly source: string;
  readonly status: number;
  readonly reason: string;
  readonly detail: string;
  /** The sender: an address, and its own name for itself. Absent: it was not asked. */
  readonly from?: string;
  /** The number of rejections like it in a row; absent: it is the only one. `at` is the last one's time. */
  readonly times?: number;
  /** When the first of several came. */
  readonly first_at?: string;
}
