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
  // Without a network, the page shows the data that was loaded last.
  const isOnline = useWatched(() => navigator.onLine, window, 'online', 'offline');
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

/** What `read` says now, and again whenever one of these events comes. */
export function useWatched<Value>(
  read: () => Value,
  target: EventTarget,
  ...events: readonly string[]
): Value {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const look = (): void => setValue(read);
    for (const name of events) target.addEventListener(name, look);
    return () => {
      for (const name of events) target.removeEventListener(name, look);
    };
  }, []);
  return value;
}
