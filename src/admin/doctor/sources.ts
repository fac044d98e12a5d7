import type { Config, Source } from '../../config/compiled/config.ts';
import type { SourceStats, Stats } from '../../metrics/api-stats.ts';
import { count, span, type Check } from './check.ts';

/** Without a `heartbeat`, nobody knows how often a source should send. After this time (ms) a person should check. */
const LONG_SILENT_MS = 7 * 86_400_000;

/** Reports sources that anybody may post to, and silent sources. `now` in ms. */
export function sourceChecks(
  config: Config,
  stats: Pick<Stats, 'sources' | 'accounts'>,
  now: number,
): readonly Check[] {
  const sources = [...config.sources.values()];
  const open = sources.filter(({ verify }) => verify.scheme === 'none').map(openCheck);
  // The traffic of a source is unknown if its account cannot be read.
  const known = sources.filter(({ account }) => stats.accounts[account] !== null);
  const silent = known.flatMap((source) => silentCheck(source, stats.sources[source.id], now));
  const heard = known.length - silent.length;
  const well: Check = {
    id: 'sources',
    status: 'ok',
    title: 'Sources',
    code: 'sources-sending',
    params: { sources: String(heard) },
    detail: `${count(heard, 'source')} sending as expected`,
  };
  return [...open, ...silent, ...(heard > 0 ? [well] : [])];
}

function openCheck({ id, form }: Source): Check {
  const found = { id: `source:${id}:open`, title: `Source ${id}` } as const;
  if (form === null)
    return {
      ...found,
      status: 'warn',
      code: 'source-open',
      detail: 'verifies nothing: anybody who knows its address can send messages through it',
      remedy: 'Give it a `verify`, at least a token in its path: verify: { scheme: token, in: path }',
    };
  const { origins } = form;
  if (origins === null || origins === 'any')
    return {
      ...found,
      status: 'warn',
      code: 'form-open',
      detail: 'is a form that any page can post',
      remedy: 'Name the pages that may: origins: [https://shop.example]',
    };
  return {
    ...found,
    status: 'ok',
    code: 'form-limited',
    params: { origins: origins.join(', ') },
    detail: `is a form that only ${origins.join(', ')} may post`,
  };
}

function silentCheck({ id }: Source, stats: SourceStats | undefined, now: number): Check[] {
  const found = { id: `source:${id}:silent` as const, title: `Source ${id}` };
  const remedy = `Check that its sender posts to /hooks/${id}`;
  const last = stats?.last_event_at ?? null;
  const silentMs = last === null ? null : now - Date.parse(last);
  const words = silentMs === null ? 'has never sent anything' : `has sent nothing for ${span(silentMs)}`;
  if (stats?.heartbeat?.overdue === true)
    return [
      {
        ...found,
        status: 'fail',
        code: 'heartbeat-late',
        params: { expected: stats.heartbeat.expected, ...(last !== null && { last }) },
        detail: `${words}; its heartbeat is ${stats.heartbeat.expected}`,
        remedy,
      },
    ];
  const coded =
    last === null
      ? ({ code: 'never-sent' } as const)
      : ({ code: 'source-silent', params: { last } } as const);
  const isLong = silentMs === null || (stats?.heartbeat === undefined && silentMs > LONG_SILENT_MS);
  if (!isLong) return [];
  const rare = silentMs === null ? '' : '. If it seldom sends, say how seldom: heartbeat: 30d';
  return [{ ...found, status: 'warn', ...coded, detail: words, remedy: remedy + rare }];
}
