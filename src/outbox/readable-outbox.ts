import { DurableObject } from 'cloudflare:workers';
import type { SilenceDocument } from '../config/documents/alerting-schema.ts';
import * as figures from './figures.ts';
import type { IncidentParts } from './incidents/entries.ts';
import { placeOf } from './incidents/incident-id.ts';
import * as open from './open-now.ts';
import type { IncidentView } from './read/incidents.ts';
import type { IncidentFilter, PlacedIncident } from './read/list-incidents.ts';
import type { OutboxMetrics } from './read/gauges.ts';
import type { OpenOfSource } from './read/open-summary.ts';
import { eventReceivers, replaysOf, type EventReceivers, type ReplayView } from './read/event-receivers.ts';
import { listEvents, type EventFilter, type EventPage } from './read/list-events.ts';
import * as read from './read/read.ts';
import type { OutboxStatus } from './answers/api-status.ts';
import type { OutboxParts } from './parts.ts';
import { readLink, type LinkView } from './pressing.ts';
import type { StoredEvent } from './read/views.ts';
import type { MessageView } from './answers/api-message.ts';
import type { AccountMessage } from './state/acceptance.ts';

/** The calls of an outbox that only read. */
export abstract class ReadableOutbox extends DurableObject<Env> {
  protected abstract readonly parts: OutboxParts;

  listEvents(filter: EventFilter): EventPage {
    return listEvents(this.parts.read(), filter);
  }

  async readEvent(id: string): Promise<StoredEvent | null> {
    return read.readEvent(await this.#reading(), id);
  }

  /** See {@link read.handedOn}. */
  handedOn(event: string, taken: readonly string[] | undefined): readonly AccountMessage[] {
    return read.handedOn(this.parts.read(), event, taken);
  }

  async listMessages(filter: read.MessageFilter): Promise<read.Page<MessageView>> {
    return read.listMessages(await this.#reading(), filter);
  }

  async readMessage(id: string): Promise<MessageView | null> {
    return read.readMessage(await this.#reading(), id);
  }

  /** Includes what messages wait for, which depends on the account's policy; left out if that cannot be read. */
  async #reading(): Promise<read.ReadContext> {
    const { read: readContext, config, timing } = this.parts;
    const policy = await config.lastPolicy(Date.now()).catch(() => null);
    const now = Date.now();
    return {
      ...readContext(),
      ...(policy !== null && { waitOf: (row) => timing.waitOf(row, policy, now) }),
    };
  }

  /** See {@link open.listIncidents}. */
  listIncidents(filter: IncidentFilter): Promise<read.Page<PlacedIncident>> {
    return open.listIncidents(this.parts, filter);
  }

  /** Returns the incidents with these ids; null for one that is not here. */
  findIncidents(ids: readonly string[]): readonly (IncidentParts | null)[] {
    return ids.map((id) => placeOf(this.parts.sql, id));
  }

  /** See {@link open.readIncidents}. */
  readIncidents(
    incidents: readonly IncidentParts[],
    options: { readonly limit: number; readonly isWhole: boolean },
  ): Promise<readonly IncidentView[]> {
    return open.readIncidents(this.parts, incidents, options);
  }

  /** See {@link open.summarizeIncidents}. */
  summarizeIncidents(): Promise<readonly OpenOfSource[]> {
    return open.summarizeIncidents(this.parts);
  }

  /** See {@link open.lookAtSilence}. */
  lookAtSilence(document: Pick<SilenceDocument, 'of' | 'when'>): Promise<open.SilenceLook | null> {
    return open.lookAtSilence(this.parts, document);
  }

  /** See {@link readLink}. */
  readLink(token: string): LinkView | null {
    return readLink(this.parts, token);
  }

  eventReceivers(ids: readonly string[]): readonly EventReceivers[] {
    return eventReceivers(this.parts.read().sql, ids);
  }

  replaysOf(ids: readonly string[]): readonly ReplayView[] {
    return replaysOf(this.parts.read().sql, ids);
  }

  /** See {@link figures.readMetrics}. */
  metrics(): OutboxMetrics {
    return figures.readMetrics(this.parts);
  }

  /** See {@link figures.readSeries}. */
  series(query: figures.SeriesQuery): ReturnType<typeof figures.readSeries> {
    return figures.readSeries(this.parts, query);
  }

  status(): Promise<OutboxStatus> {
    return figures.readStatus(this.parts);
  }
}
