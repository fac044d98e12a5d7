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
  const [tone, word] = LOOK[state];
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
