/** One refused request, as the list of recent rejections shows it, without its body. */
export interface RejectionEntry {
  readonly at: string;
  readonly source: string;
  readonly status: number;
  readonly reason: string;
  readonly detail: string;
  /** The sender: an address, and its own name for itself. Absent: it was not asked. */
  readonly from?: string;
}
