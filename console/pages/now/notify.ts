import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../texts/texts.ts';

const STORED = 'hookbell.notify';

/** Chrome for Android has the interface, but refuses it to pages. */
const CAN_NOTIFY = 'Notification' in window && !/Android.*Chrome/.test(navigator.userAgent);

/** A card that can be notified of. */
export interface Notice {
  readonly card: string;
  readonly mark: number | null;
  readonly title: string;
}

/** The cards that are new, or have happened again, since they were seen. */
export const fresh = (seen: ReadonlyMap<string, number>, cards: readonly Notice[]): readonly Notice[] =>
  cards.filter(({ card, mark }) => (mark ?? 0) > (seen.get(card) ?? -1));

export interface Notifying {
  readonly isOn: boolean;
  readonly toggle: () => void;
}

/**
 * Notifies of cards that come while nobody looks at the page, by the browser, if the person wants that. The text is the card's: no number
 * and no payload.
 */
export function useNotifications(cards: readonly Notice[] | null): Notifying | null {
  const [isOn, setOn] = useState(
    () => localStorage.getItem(STORED) === 'on' && CAN_NOTIFY && Notification.permission === 'granted',
  );
  const seen = useRef<Map<string, number> | null>(null);
  useEffect(() => {
    if (cards === null) return;
    const known = seen.current;
    // A card that was there when the page opened is not new.
    const news = known === null ? [] : fresh(known, cards);
    seen.current = new Map(cards.map(({ card, mark }) => [card, mark ?? 0]));
    if (!isOn || document.visibilityState === 'visible') return;
    try {
      // oxlint-disable-next-line no-new -- the browser shows what is made
      for (const { card, title } of news) new Notification(title, { tag: card, body: t.common.product });
    } catch {
      // Another browser that refuses it: the page goes on without.
    }
  }, [cards, isOn]);
  if (!CAN_NOTIFY) return null;
  const toggle = (): void => {
    if (isOn) {
      localStorage.removeItem(STORED);
      setOn(false);
      return;
    }
    void ask();
  };
  const ask = async (): Promise<void> => {
    if ((await Notification.requestPermission()) !== 'granted') return;
    localStorage.setItem(STORED, 'on');
    setOn(true);
  };
  return { isOn, toggle };
}
