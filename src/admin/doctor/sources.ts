import type { Config, Source } from '../../config/compiled/config.ts';
import type { SourceStats, Stats } from '../../metrics/api-stats.ts';
import { count, findingOf, span, type Check } from './check.ts';

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
  const well = findingOf('sources', 'Sources')(
    'ok',
    'sources-sending',
    `${count(heard, 'source')} sending as expected`,
    { params: { sources: heard } },
  );
  return [...open, ...silent, ...(heard > 0 ? [well] : [])];
}

function openCheck({ id, form }: Source): Check {
  const found = findingOf(`source:${id}:open`, `Source ${id}`);
  if (form === null)
    return found(
      'warn',
      'source-open',
      'verifies nothing: anybody who knows its address can send messages through it',
      { remedy: 'Give it a `verify`, at least a token in its path: verify: { scheme: token, in: path }' },
    );
  const { origins } = form;
  if (origins === null || origins === 'any')
    return found('warn', 'form-open', 'is a form that any page can post', {
      remedy: 'Name the pages that may: origins: [https://shop.example]',
    });
  const names = origins.join(', ');
  return found('ok', 'form-limited', `is a form that only ${names} may post`, { params: { origins: names } });
}

function silentCheck({ id }: Source, stats: SourceStats | undefined, now: number): Check[] {
  const found = findingOf(`source:${id}:silent`, `Source ${id}`);
  const remedy = `Check that its sender posts to /hooks/${id}`;
  const last = stats?.last_event_at ?? null;
  const silentMs = last === null ? null : now - Date.parse(last);
  const words = silentMs === null ? 'has never sent anything' : `has sent nothing for ${span(silentMs)}`;
  if (stats?.heartbeat?.overdue === true) {
    const { expected } = stats.heartbeat;
    return [
      found('fail', 'heartbeat-late', `${words}; its heartbeat is ${expected}`, {
        params: { expected, ...(last !== null && { last }) },
        remedy,
      }),
    ];
  }
  if (last === null) return [found('warn', 'never-sent', words, { remedy })];
  if (stats?.heartbeat !== undefined || (silentMs ?? 0) <= LONG_SILENT_MS) return [];
  return [
    found('warn', 'source-silent', words, {
      params: { last },
      remedy: `${remedy}. If it seldom sends, say how seldom: heartbeat: 30d`,
    }),
  ];
}
