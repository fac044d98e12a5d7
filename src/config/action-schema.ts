import * as z from 'zod/mini';
import { DAY, MINUTE } from '../lib/duration.ts';
import { duration, mustBe, recordOf, someText, strictDocument, withoutConflicts } from '../schema/parts.ts';

/** The name of an action, as a template writes it: `actions.approve.url`. */
const ACTION = /^[a-z][a-z0-9_]{0,19}$/;

/** A button holds no more, in UTF-16 units of its template. */
const MAX_LABEL = 256;

/** Nobody reads a message with more links. */
const MAX_ACTIONS = 8;

const action = strictDocument({
  /** The text of the button, as a template. */
  label: z.optional(someText(MAX_LABEL)),
  /** The time for which its link can be pressed. */
  expires: z.optional(duration(MINUTE, 30 * DAY)),
});

/** The links of a route's messages that their receivers can press, by name. */
export const actionsSchema = recordOf(action, 'must be an object of actions by name').check(
  withoutConflicts((actions) => {
    const names = Object.keys(actions);
    const wrong = names.flatMap((name) =>
      ACTION.test(name)
        ? []
        : [
            {
              path: name.slice(0, 64),
              message:
                'is no name of an action: small letters, digits and `_`, 20 at most, starting with a letter',
            },
          ],
    );
    return names.length > MAX_ACTIONS
      ? [...wrong, { path: '', message: mustBe(`at most ${MAX_ACTIONS} actions`)({ input: actions }) }]
      : wrong;
  }),
);

export type ActionsDocument = z.output<typeof actionsSchema>;
