import { useEffect, useState } from 'preact/hooks';
import type { LiveState } from '../lib/live.ts';
import { t } from '../texts/texts.ts';
import { Badge } from './basics.tsx';

const LOOK = {
  on: ['good', t.common.live],
  off: ['calm', t.common.liveStopped],
  lost: ['warn', t.common.liveLost],
} as const;

/** Shows whether updates are live; `onToggle` stops them. */
export function Live({ state, onToggle }: { state: LiveState; onToggle?: () => void }) {
  const isOnline = useOnline();
  const [tone, word] = isOnline || state === 'off' ? LOOK[state] : (['bad', t.common.offlineNow] as const);
  const badge = (
    <Badge tone={tone}>
      <span class="live-dot" aria-hidden="true" />
      {word}
    </Badge>
  );
  return onToggle === undefined ? (
    badge
  ) : (
    <button type="button" class="button quiet" aria-pressed={state !== 'off'} onClick={onToggle}>
      {badge}
    </button>
  );
}

/** False: the browser has no network. The page shows the data that was loaded last. */
function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = (): void => setOnline(navigator.onLine);
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  return isOnline;
}
