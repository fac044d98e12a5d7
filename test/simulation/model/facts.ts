import type { Changes } from './changes.ts';
import type { Holds } from './holds.ts';
import type { Members } from './members.ts';
import type { Phones } from './phones.ts';
import type { Presses } from './presses.ts';
import type { QuietHours } from './quiet-hours.ts';
import type { Steps } from './steps.ts';
import type { Throttle } from './throttle.ts';

export interface Facts {
  readonly changes: Changes;
  readonly phones: Phones;
  readonly members: Members;
  readonly holds: Holds;
  readonly quiet: QuietHours;
  readonly throttle: Throttle | null;
  readonly presses: Presses;
  readonly steps: Steps;
}
