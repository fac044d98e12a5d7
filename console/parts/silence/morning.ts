const MORNING = 7;

/** The next morning of the viewer's own clock, at least an hour away. */
export function nextMorning(now: Date): Date {
  const morning = new Date(now);
  morning.setHours(MORNING, 0, 0, 0);
  if (morning.getTime() < now.getTime() + 3_600_000) morning.setDate(morning.getDate() + 1);
  return morning;
}
