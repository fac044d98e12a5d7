import { expect } from 'vitest';
import type { IncidentAnswer } from '../../../src/outbox/answers/api-incident.ts';
import { incidentId } from '../../../src/outbox/incidents/incident-id.ts';
import { admin, postJson } from '../../integration/relay.ts';

/** A source of alerts with one route, which has an incident for each of them. */
export const alerting = (route: object = {}, source: object = {}) => ({
  verify: { scheme: 'none' },
  limit: false,
  ...source,
  routes: [
    {
      name: 'on-call',
      each: 'payload.alerts',
      incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"' },
      send: { kind: 'text', message: '{{ count }}' },
      ...route,
    },
  ],
});

export const fire = async (source: string, ...alerts: readonly object[]): Promise<void> => {
  expect((await postJson(source, { alerts })).status).toBe(202);
};

export const idOf = (source: string, key: string): string => incidentId({ source, route: 'on-call', key });

export const incidentOf = async (source: string, key: string): Promise<IncidentAnswer> =>
  (await admin<IncidentAnswer>('GET', `/incidents/${idOf(source, key)}`)).body;
