import { fieldError } from '../../lib/problem.ts';
import * as z from 'zod/mini';
import { DAY, formatDuration, MINUTE, parseDuration } from '../../lib/time.ts';
import {
  duration,
  mustBe,
  recordOf,
  someText,
  strictDocument,
  withoutConflicts,
} from '../../schema/parts.ts';

/** The name of an action, as a template writes it: `actions.approve.url`. */
const ACTION = /^[a-z][a-z0-9_]{0,19}$/;

/** The longest text of a button, in UTF-16 units of its template. */
const MAX_LABEL = 256;

/** The maximum number of links in a message. Nobody reads more. */
export const MAX_ACTIONS = 8;

/** The shortest and the longest silence, in ms. */
export const SILENCE = [MINUTE, 30 * DAY] as const;

const notASilence = mustBe(
  `a duration from ${formatDuration(SILENCE[0])} to ${formatDuration(SILENCE[1])} such as \`1h\`, or a time in quotes such as "07:00"`,
);

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

function isSilence(text: string): boolean {
  const parsed = parseDuration(text);
  return TIME.test(text) || (parsed.ok && parsed.value >= SILENCE[0] && parsed.value <= SILENCE[1]);
}

const action = strictDocument({
  /** The text of the button, as a template. */
  label: z.optional(someText(MAX_LABEL)),
  /** The time for which the link can be pressed. */
  expires: z.optional(duration(MINUTE, 30 * DAY)),
  /** For an action that is a silence: its duration, or the time of day at which it ends. */
  silence: z.optional(z.string({ error: notASilence }).check(z.refine(isSilence, { error: notASilence }))),
});

/** The links of a route's messages that their receivers can press, by name. */
export const actionsSchema = recordOf(action, 'must be an object of actions by name').check(
  withoutConflicts((actions) => {
    const names = Object.keys(actions);
    const wrong = names.flatMap((name) =>
      ACTION.test(name)
        ? []
        : [
            fieldError(
              name.slice(0, 64),
              'malformed',
              'is not an action name: lower-case letters, digits and `_`, 20 at most, starting with a letter',
            ),
          ],
    );
    return names.length > MAX_ACTIONS
      ? [...wrong, fieldError('', 'too-long', mustBe(`at most ${MAX_ACTIONS} actions`)({ input: actions }))]
      : wrong;
  }),
);

export type ActionsDocument = z.output<typeof actionsSchema>;
