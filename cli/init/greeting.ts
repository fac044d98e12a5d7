import type { Ask } from '../ask.ts';

export const GREETING = 'Creates a source from your answers. Nothing is written until the last one.';

/** The same person, greeted before the first question; not at all where nothing is asked. */
export function withGreeting(ask: Ask, greet: () => void): Ask {
  let isGreeted = false;
  const first = (): Ask => {
    if (!isGreeted) greet();
    isGreeted = true;
    return ask;
  };
  return {
    confirm: (message) => first().confirm(message),
    text: (question) => first().text(question),
    search: (message, choices) => first().search(message, choices),
  };
}
