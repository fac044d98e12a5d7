import type * as z from 'zod';
import type { accountStatus, accountStatusPage } from 'answers/answers/api-status.js';
import type { configSet, onCall, provider, providerPage, receipt } from 'answers/admin/config/api-config.js';
import type { event, eventPage, eventSummary } from 'answers/answers/api-event.js';
import type * as messages from 'answers/admin/messages/api-messages.js';
import type * as kept from 'answers/answers/api-registry.js';
import type { incident, openPage } from 'answers/answers/api-incident.js';
import type { message } from 'answers/answers/api-message.js';
import type { invitation, sessionInfo, sessionPage } from 'answers/admin/api-sessions.js';
import type { diagnosis } from 'answers/admin/doctor/api-check.js';
import type { tail } from 'answers/answers/api-tail.js';
import type { series, stats } from 'answers/metrics/api-stats.js';
import type { previewed } from 'answers/admin/preview/api-preview.js';
import type { AnswerOf, problem } from 'answers/schema/api-parts.js';

export type AccountStatus = z.output<typeof accountStatus>;
export type AccountStatuses = z.output<typeof accountStatusPage>;
export type ChangeReceipt = z.output<typeof receipt>;
export type Diagnosis = z.output<typeof diagnosis>;
export type DocumentSet = z.output<typeof configSet>;
export type EventDetail = z.output<typeof event>;
export type EventPage = z.output<typeof eventPage>;
export type EventSummary = z.output<typeof eventSummary>;
export type FoundNumber = z.output<typeof messages.foundNumber>;
export type Frame = Tail['items'][number];
export type IncidentAnswer = z.output<typeof incident>;
export type Invitation = z.output<typeof invitation>;
export type ListedSession = z.output<typeof sessionPage>['items'][number];
export type ListedSilence = z.output<typeof kept.silencePage>['items'][number];
export type Message = z.output<typeof message>;
export type OnCall = z.output<typeof onCall>;
export type OpenIncidentsAnswer = z.output<typeof openPage>['items'][number];
export type PairedKey = z.output<typeof kept.pairedKey>;
export type PairingAnswer = z.output<typeof kept.pairing>;
export type PreviewAnswer = z.output<typeof previewed>;
export type ProblemAnswer = z.output<typeof problem>;
export type ProviderAnswer = AnswerOf<typeof provider>;
export type ProviderSummary = z.output<typeof providerPage>['items'][number];
export type RejectionAnswer = z.output<typeof kept.rejectionWithBody>;
export type Released = z.output<typeof kept.released>;
export type Replayed = z.output<typeof messages.replayed>;
export type Series = z.output<typeof series>;
export type SessionInfo = z.output<typeof sessionInfo>;
export type SilenceOf = NonNullable<IncidentAnswer['silence_by']>[number];
export type SilencePreview = z.output<typeof kept.silenceLook>;
export type Stats = z.output<typeof stats>;
export type StepAnswer = Partial<
  z.output<typeof messages.replayedMany> &
    z.output<typeof messages.retried> &
    z.output<typeof messages.cancelledMany>
> &
  Pick<ListPage<unknown>, 'next_cursor'>;
export type Suppression = z.output<typeof kept.suppression>;
export type Tail = z.output<typeof tail>;
export type Version = VersionPage['items'][number];
export type VersionPage = z.output<typeof kept.versionPage>;

/** A document as it is written: nothing has checked it. */
export type Written = Readonly<Record<string, unknown>>;

export type ListPage<Item> = { readonly items: readonly Item[]; readonly next_cursor: string | null };
