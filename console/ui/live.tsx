import { useEffect, useState } from 'preact/hooks';
import type { LiveState } from '../lib/live.ts';
import { t } from '../texts/texts.ts';
import { Badge, type Tone } from './basics.tsx';

const LOOK = {
  on: ['good', t.common.live],
  off: ['calm', t.common.liveStopped],
  lost: ['warn', t.common.liveLost],
} as const;

export function useLook(state: LiveState): readonly [Tone, string] {
  const isOnline = useOnline();
  return isOnline || state === 'off' ? LOOK[state] : ['bad', t.common.offlineNow];
}

export function Live({ state }: { state: LiveState }) {
  const [tone, word] = useLook(state);
  return (
    <Badge tone={tone}>
      <span class="live-dot" aria-hidden="true" />
      {word}
    </Badge>
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
