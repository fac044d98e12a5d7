const MINUTES = 1_440;
const HOURS_SHOWN = [0, 6, 12, 18, 24] as const;

const minuteOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

/** The parts of a day from one time to another, which may be the next morning's. */
export function partsOfDay(from: string, to: string): readonly (readonly [start: number, end: number])[] {
  const [start, end] = [minuteOf(from), minuteOf(to)];
  if (start === end) return [];
  return start < end ? [[start, end]] : [[start, MINUTES], ...(end === 0 ? [] : [[0, end] as const])];
}

/** A day from midnight to midnight with the hours between two times marked. Its text stands beside it. */
export const DayStrip = ({ from, to }: { from: string; to: string }) => (
  <span class="day-strip" aria-hidden="true">
    <svg viewBox={`0 0 ${MINUTES} 12`} preserveAspectRatio="none">
      <rect class="bar-ground" width={MINUTES} height={12} />
      {partsOfDay(from, to).map(([start, end]) => (
        <rect key={start} class="day-marked" x={start} width={end - start} height={12} />
      ))}
    </svg>
    <span class="line day-hours">
      {HOURS_SHOWN.map((hour) => (
        <span key={hour}>{hour}</span>
      ))}
    </span>
  </span>
);
