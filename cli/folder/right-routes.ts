import { isObject } from '../../shared/yaml-patch/same.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { ownValue } from '../../src/lib/json.ts';

type Compiled = Omit<ReturnType<typeof compileConfig>, 'built'>;

/**
 * The set, and the same without its wrong routes: an error in one hides its source, and with it the warnings about the
 * others.
 */
export function compileRightRoutes(
  set: ConfigSet,
  now: number,
): Readonly<Record<'whole' | 'right', Compiled>> {
  const whole = compileConfig(set, 0, now);
  const { errors } = whole;
  const kept = new Map<string, readonly number[]>();
  const sources = Object.entries(set.sources).map(([id, source]): readonly [string, unknown] => {
    const routes = ownValue(source, 'routes');
    if (whole.config.sources.has(id) || !isObject(source) || !Array.isArray(routes)) return [id, source];
    const isRight = (at: number): boolean =>
      !errors.some(({ path }) => path.startsWith(`sources.${id}.routes[${at}]`));
    const right = [...routes.keys()].filter(isRight);
    kept.set(id, right);
    return [id, { ...source, routes: right.map((at): unknown => routes[at]) }];
  });
  if (kept.size === 0) return { whole, right: whole };
  const { config, warnings } = compileConfig({ ...set, sources: Object.fromEntries(sources) }, 0, now);
  const hidden = warnings.flatMap((warning) => {
    const [start = '', id = '', at] = /^sources\.([^.]+)\.routes\[(\d+)\]/.exec(warning.path) ?? [];
    const place = kept.get(id)?.[Number(at)];
    return place === undefined
      ? []
      : [{ ...warning, path: `sources.${id}.routes[${place}]${warning.path.slice(start.length)}` }];
  });
  return { whole, right: { config, errors, warnings: [...whole.warnings, ...hidden] } };
}
