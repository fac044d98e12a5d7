import { useEffect, useState } from 'preact/hooks';

/** The width in the styles below which the navigation is at the bottom, and rows have two lines. */
const NARROW = '(max-width: 860px)';

export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const look = (): void => setNarrow(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  return isNarrow;
}
