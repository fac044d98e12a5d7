import { expect } from 'vitest';
import type { IncidentAnswer } from '../../../src/answers/api-incident.ts';
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

export const nameOf = (source: string, key: string): string => `${source}/on-call/${key}`;

/** In the path of a request. */
export const pathOf = (source: string, key: string): string => encodeURIComponent(nameOf(source, key));

export const incidentOf = async (source: string, key: string): Promise<IncidentAnswer> =>
  (await admin<IncidentAnswer>('GET', `/incidents/${pathOf(source, key)}`)).body;
