/** A limiter that returns true `limit` times a second, in this isolate; `now` in ms. */
export function perSecond(limit: number): (now: number) => boolean {
  let windowStart = 0;
  let seen = 0;
  return (now) => {
    // Also when the clock was set back: else nothing would pass until it has caught up.
    if (now - windowStart >= 1_000 || now < windowStart) [windowStart, seen] = [now, 0];
    seen += 1;
    return seen <= limit;
  };
}
