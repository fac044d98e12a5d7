import { type FieldError, fieldError } from '../../lib/problem.ts';
import { EVENT_ROOTS } from '../../template/basics/scope.ts';
import { compileCondition } from '../../template/expression.ts';
import { rightOnes, type Documents } from '../documents/check.ts';
import type { Silence, SilencedThings } from '../compiled/config.ts';
import { hoursOf, WITHOUT_ZONE } from '../compiled/hours.ts';
import { compiled, type Report } from '../documents/issues.ts';
import type { SilenceDocument, SilenceOf } from '../documents/alerting-schema.ts';

export const BY_HAND = 'sil_';

/** The names in a silence's condition. An incident also has a key. */
const SILENCE_ROOTS: readonly string[] = [...EVENT_ROOTS, 'key'];

export function compileSilence(id: string, document: SilenceDocument, report: Report): Silence | null {
  const { of, when: text } = document;
  const when = text === undefined ? null : compiled('.when', compileCondition(text, SILENCE_ROOTS), report);
  const [from = null, until = null] = [document.from, document.until].map((text) =>
    text === undefined ? null : Date.parse(text),
  );
  if (from !== null && until !== null && until <= from) {
    report('.until', 'out-of-range', 'must be after `from`');
    return null;
  }
  const every = document.every === undefined ? null : hoursOf(document.every);
  if (text !== undefined && when === null) return null;
  return { id, of: of === undefined ? null : thingsOf(of), when, from, until, every };
}

const thingsOf = ({ source, type, route, group, keys }: SilenceOf): SilencedThings => ({
  source,
  type: type ?? null,
  route: route ?? null,
  grouped: group === undefined ? null : JSON.stringify(group),
  keys: keys === undefined ? null : new Set(keys),
});

export const compileSilences = (
  documents: Documents<SilenceDocument>,
  report: Report = () => undefined,
): readonly Silence[] =>
  rightOnes(documents)
    .map(([id, document]) =>
      compileSilence(id, document, (path, ...fault) => report(`silences.${id}${path}`, ...fault)),
    )
    .filter((silence) => silence !== null);

export const silenceWarnings = (
  { get }: Documents<SilenceDocument>,
  silences: readonly Silence[],
  now: number | null,
): readonly FieldError[] =>
  silences.flatMap(({ id, until }) => {
    const every = get(id)?.every;
    const path = `silences.${id}`;
    return [
      ...(until !== null && now !== null && until <= now
        ? [fieldError(`${path}.until`, 'no-effect', 'is in the past: the silence no longer has any effect')]
        : []),
      ...(every !== undefined && every.timezone === undefined
        ? [fieldError(`${path}.every`, 'time-zone', WITHOUT_ZONE)]
        : []),
    ];
  });
