/**
 * The statement of a message about an incident: it is firing (`isNew`: for the first time), it comes and goes, or it
 * is resolved.
 */
export interface Statement {
  readonly key: string;
  readonly status: 'firing' | 'flapping' | 'resolved';
  readonly isNew: boolean;
}

/** The numbers of a digest: what came and went, and what was not heard of any more. */
export interface Missed {
  readonly resolved: number;
  readonly expired: number;
}

/** A message about incidents that reached the gateway. */
export interface ShownAlert {
  readonly at: number;
  readonly phone: string;
  readonly says: readonly Statement[];
  readonly isShown: boolean;
  /** The relay cannot know whether it is shown. */
  readonly isUncertain: boolean;
  /** Its answer says that the gateway will never take it. */
  readonly isRefused: boolean;
  /** It says since when nobody has acknowledged what it is about. */
  readonly isOfStep?: boolean;
  /** Absent: it counts nothing. */
  readonly missed?: Missed;
}
