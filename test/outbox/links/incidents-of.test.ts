import { describe, expect, it } from 'vitest';
import { incidentId } from '../../../src/outbox/incidents/incident-id.ts';
import { incidentsOf, linkedIncidents } from '../../../src/outbox/links/incidents-of.ts';
import { parseOwnJson } from '../../../src/lib/own-json.ts';
import type { ReadContext } from '../../../src/outbox/read/read.ts';
import type { MessageRow } from '../../../src/outbox/state/message.ts';
import { IncidentsBench, PHONE, route } from '../incidents/bench.ts';
import { inStorage } from '../in-storage.ts';

const BEN = '4915100000002';
const PLACE = { source: 'alerts', route: 'on-call' };
const idOf = (key: string): string => incidentId({ ...PLACE, key });

const CONTEXT = parseOwnJson<Omit<ReadContext, 'sql'>>('{"tag":"k3x9q2vb","account":"default"}');

const bench = (body: (one: IncidentsBench, context: ReadContext, sql: SqlStorage) => void): Promise<void> =>
  inStorage(async ({ storage }) => {
    const one = new IncidentsBench(storage, [route({ to: [PHONE, BEN] })]);
    await one.fire('disk', 'cpu');
    body(one, { ...CONTEXT, sql: storage.sql }, storage.sql);
  });

/** The row of a message that says this of incidents, and names these. */
const rowOf = (says: readonly (readonly [string, string])[], named: readonly string[]): MessageRow =>
  parseOwnJson<MessageRow>(
    JSON.stringify({
      ...PLACE,
      says: JSON.stringify({ incidents: says }),
      about: JSON.stringify({ incidents: named.map(idOf) }),
    }),
  );

describe('a link', () => {
  it('leaves alone what flaps and what its message does not name', () =>
    bench((_one, context) => {
      const ids = (named: readonly string[]): readonly string[] =>
        incidentsOf(
          context,
          rowOf(
            [
              ['disk', 'open'],
              ['cpu', 'flapping'],
            ],
            named,
          ),
        ).map(({ id }) => id);
      expect(ids(['disk'])).toEqual([idOf('disk')]);
      expect(ids(['disk', 'cpu'])).toEqual([idOf('disk'), idOf('cpu')]);
    }));

  it('asks of the last opening, also where it was over for somebody else later', () =>
    bench((_one, context, sql) => {
      const set = (openedAt: number, resolvedAt: number, where: string): void => {
        sql.exec(
          `UPDATE incidents SET state = json_set(state, '$.openedAt', ?, '$.resolvedAt', ?) WHERE ${where}`,
          openedAt,
          resolvedAt,
        );
      };
      for (const phone of [PHONE, BEN]) {
        set(60_000, 300_000, 'true');
        set(120_000, 240_000, `phone = '${phone}'`);
        expect(linkedIncidents(context, [idOf('disk')])).toMatchObject([
          { startedAt: new Date(120_000).toISOString() },
        ]);
      }
    }));
});

/** The phones that hear who has the incident. */
const heardBy = (context: ReadContext): readonly string[] =>
  linkedIncidents(context, [idOf('disk')]).flatMap(({ notified }) => notified);

const opening = (
  ends: 'failed' | 'uncertain' | null,
  body: (one: IncidentsBench, context: ReadContext) => Promise<void>,
): Promise<void> =>
  inStorage(async ({ storage }) => {
    const one = new IncidentsBench(storage, [route({ to: [PHONE, BEN] })]);
    one.ends = ends;
    await one.fire('disk');
    await body(one, { ...CONTEXT, sql: storage.sql, open: one.incidents.open });
  });

describe('the others who hear who has an incident', () => {
  it('are those who may have read of it: the gateway’s answer was lost', () =>
    opening('uncertain', async (one, context) => {
      expect(heardBy(context).toSorted()).toEqual([PHONE, BEN].toSorted());
      one.restart();
      expect(heardBy({ ...context, open: one.incidents.open }).toSorted()).toEqual([PHONE, BEN].toSorted());
    }));

  it('are those whose call is under way', () =>
    opening(null, async (_one, context) => {
      expect(heardBy(context).toSorted()).toEqual([PHONE, BEN].toSorted());
    }));

  it('are not those whose message surely did not arrive', () =>
    opening('failed', async (_one, context) => {
      expect(heardBy(context)).toEqual([]);
    }));

  it('are not those who may have read that it is over', () =>
    opening('uncertain', async (one, context) => {
      one.ends = 'sent';
      await one.retry();
      one.ends = 'uncertain';
      await one.resolve('disk');
      expect(heardBy(context)).toEqual([]);
    }));
});
