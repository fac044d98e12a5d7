import type { IncidentAnswer, SilenceOf } from '../../api/types.ts';
import { t } from '../../texts/texts.ts';

/** Something that can be silenced. */
export interface SilenceTarget {
  readonly label: string;
  readonly of: SilenceOf;
}

/** All that a source sends. */
export const scopeOfSource = (source: string): readonly SilenceTarget[] => [
  { label: t.silences.ofSource(source), of: { source } },
];

interface scopesOfEventProps {
  readonly source: string;
  readonly type: string | null;
}

/** An event's type, and its source. */
export const scopesOfEvent = ({ source, type }: scopesOfEventProps): readonly SilenceTarget[] => [
  ...(type === null ? [] : [{ label: t.silences.ofType(type), of: { source, type } }]),
  ...scopeOfSource(source),
];

/** The incident alone, its group, its source. */
export const scopesOfIncident = ({
  silence_by: by = [],
}: Pick<IncidentAnswer, 'silence_by'>): readonly SilenceTarget[] =>
  by.map((of) => ({ label: labelOf(of), of }));

const labelOf = ({ source, group, keys }: SilenceOf): string =>
  keys !== undefined
    ? t.silences.ofIncident
    : group !== undefined
      ? t.silences.ofGroup(group.join(', '))
      : t.silences.ofSource(source);
