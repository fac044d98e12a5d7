/** The API's placeholder for a text that viewers do not see. */
const HIDDEN = 'hidden';

/** A text that this person sees; undefined: there is none, or it is hidden. A text that is this word says nothing, either. */
export const visibleText = (text: string | undefined): string | undefined =>
  text === HIDDEN ? undefined : text;
