import { afterEach, expect, vi } from 'vitest';
import { parseOwnJson } from '../../src/lib/json.ts';
import { incidentId } from '../../src/outbox/incidents/store.ts';
import { logMoves } from '../../src/outbox/incidents/context.ts';
import { it } from './it.ts';

afterEach(() => vi.restoreAllMocks());

/** The lines that are written, with their level. */
function linesOf(write: () => void): readonly Readonly<Record<string, unknown>>[] {
  const lines: Record<string, unknown>[] = [];
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line: unknown) => {
      lines.push({ level, ...parseOwnJson<object>(String(line)) });
    });
  write();
  return lines;
}

const refOf = (key: string, phone = '4915112345601') => ({ source: 'alerts', route: 'on-call', key, phone });

it('incidents that change together are one line, by the first one’s id and without what they say', ({
  sql,
}) => {
  const lines = linesOf(() =>
    logMoves(
      sql,
      [
        { stage: 'incident.opened', ref: refOf('disk') },
        { stage: 'incident.opened', ref: refOf('disk', '4915112345602') },
        { stage: 'incident.opened', ref: refOf('fan') },
        { stage: 'incident.resolved', ref: refOf('cpu') },
        { stage: 'incident.held', ref: refOf('net'), by: 'night' },
      ],
      'default',
    ),
  );
  const about = { level: 'info', source: 'alerts', route: 'on-call', account: 'default', incidents: 1 };
  expect(lines).toEqual([
    { ...about, stage: 'incident.opened', incident: incidentId(sql, refOf('disk')), incidents: 2 },
    { ...about, stage: 'incident.resolved', incident: incidentId(sql, refOf('cpu')) },
    { ...about, stage: 'incident.held', incident: incidentId(sql, refOf('net')), by: 'night' },
  ]);
});
