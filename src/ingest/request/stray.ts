import type { LoadedConfig } from '../../config/compiled/config.ts';
import { NAME } from '../../config/documents/name.ts';
import { iso } from '../../lib/iso.ts';
import { redact } from '../../lib/redact.ts';
import { secretValues } from '../../lib/secret.ts';
import { STRAYS } from '../../lib/shares.ts';
import { suggest } from '../../lib/suggest.ts';
import { OTHER, type LimitedEntry } from '../../registry/rejections.ts';
import { reportTo, type FloodContext } from './flood.ts';
import { EVENT_METHODS } from './receive.ts';

/**
 * The names to which webhooks came since the last report, those like a source's apart from others; and the time up to
 * which reports are used (ms): some are free at once, then there is one each `everyMs`.
 */
const newStrays = () => ({ entries: new Map<string, LimitedEntry>(), usedTo: 0 });
const near = newStrays();
const far = newStrays();

/**
 * Counts a webhook to an address that no source has, by its name, if it is a name: anybody may post anything here, and a
 * flood must not cost a write for each.
 */
export function recordStray(
  method: string,
  sent: string,
  config: LoadedConfig,
  { env, ctx }: FloodContext,
  now: number,
): void {
  if (!EVENT_METHODS.includes(method)) return;
  const isName = NAME.test(sent) && redact(sent, secretValues(env)) === sent;
  const meant = isName ? suggest(sent, [...config.sources.keys()]) : null;
  const strays = meant === null ? far : near;
  const { entries } = strays;
  const source = isName && (entries.has(sent) || entries.size < STRAYS.names) ? sent : OTHER;
  entries.set(source, {
    at: iso(now),
    source,
    status: 404,
    code: 'unknown-source',
    detail:
      meant === null || source === OTHER
        ? 'somebody posts to an address that no source has'
        : `somebody posts to \`/hooks/${source}\`; did you mean \`${meant}\`?`,
    near: source === OTHER ? null : meant,
    times: (entries.get(source)?.times ?? 0) + 1,
  });
  const to = Math.max(strays.usedTo, now - STRAYS.reports * STRAYS.everyMs) + STRAYS.everyMs;
  if (to > now) return;
  strays.usedTo = to;
  const report = [...entries.values()];
  entries.clear();
  reportTo(env, ctx, (reports) => reports.recordLimited(report));
}
