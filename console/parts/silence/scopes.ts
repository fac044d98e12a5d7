import type { IncidentAnswer } from '../../api/types.ts';
import { t } from '../../texts/texts.ts';
import { ofSource, ofType } from './conditions.ts';

/** Something that can be silenced, by a condition. */
export interface SilenceTarget {
  readonly label: string;
  readonly when: string;
}

/** All that a source sends. */
export function scopeOfSource(source: string): readonly SilenceTarget[] {
  const when = ofSource(source);
  return when === null ? [] : [{ label: t.silences.ofSource(source), when }];
}

/** An event's type, and its source. */
export function scopesOfEvent({
  source,
  type,
}: {
  readonly source: string;
  readonly type: string | null;
}): readonly SilenceTarget[] {
  const when = ofType(source, type);
  return [
    ...(when === null ? [] : [{ label: t.silences.ofType(type ?? ''), when }]),
    ...scopeOfSource(source),
  ];
}

/** The incident alone, its group, its source. */
export const scopesOfIncident = ({
  source,
  silence_by: by,
}: Pick<IncidentAnswer, 'source' | 'silence_by'>): readonly SilenceTarget[] =>
  (by ?? []).map(({ of, name, when }) => ({
    label:
      of === 'incident'
        ? t.silences.ofIncident
        : of === 'group'
          ? t.silences.ofGroup(name ?? '')
          : t.silences.ofSource(source),
    when,
  }));
