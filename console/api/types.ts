import type * as z from 'zod';
import type { accountStatus } from 'schemas/accounts.js';
import type { configSet, receipt } from 'schemas/config.js';
import type { event, eventSummary, foundNumber, replayed } from 'schemas/events.js';
import type { rejectionWithBody, released, versionPage } from 'schemas/history.js';
import type { incident, openPage } from 'schemas/incidents.js';
import type { message } from 'schemas/messages.js';
import type { onCall } from 'schemas/on-call.js';
import type { diagnosis, done, frame, release, stats } from 'schemas/operations.js';
import type { pairedKey, pairing } from 'schemas/pair.js';
import type { previewed } from 'schemas/preview.js';
import type { problem } from 'schemas/problem.js';
import type { provider, providerPage } from 'schemas/providers.js';
import type { suppression } from 'schemas/suppressions.js';
import type { silenceLook } from 'schemas/silence-look.js';
import type { byHand, silencePage } from 'schemas/silences.js';

// The answers of the admin API, by the schemas that its description is made of.
export type AccountStatus = z.output<typeof accountStatus>;
export type ConfigSet = z.output<typeof configSet>;
export type Diagnosis = z.output<typeof diagnosis>;
export type Done = z.output<typeof done>;
export type EventSummary = z.output<typeof eventSummary>;
export type EventDetail = z.output<typeof event>;
export type FoundNumber = z.output<typeof foundNumber>;
export type Frame = z.output<typeof frame>;
export type Incident = z.output<typeof incident>;
export type Message = z.output<typeof message>;
export type OnCall = z.output<typeof onCall>;
export type OpenIncidents = z.output<typeof openPage>['items'][number];
export type PairedKey = z.output<typeof pairedKey>;
export type Pairing = z.output<typeof pairing>;
export type Preview = z.output<typeof previewed>;
export type Problem = z.output<typeof problem>;
export type Provider = z.output<typeof provider>;
export type ProviderSummary = z.output<typeof providerPage>['items'][number];
export type Receipt = z.output<typeof receipt>;
export type Rejection = z.output<typeof rejectionWithBody>;
export type Release = z.output<typeof release>;
export type Released = z.output<typeof released>;
export type Replayed = z.output<typeof replayed>;
export type Silence = z.output<typeof silencePage>['items'][number];
export type SilenceByHand = z.output<typeof byHand>;
export type SilenceLook = z.output<typeof silenceLook>;
export type Stats = z.output<typeof stats>;
export type Suppression = z.output<typeof suppression>;
export type Version = z.output<typeof versionPage>['items'][number];

/** A page of a list, newest first unless its route says otherwise. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}
