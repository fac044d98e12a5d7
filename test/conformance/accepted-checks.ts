import { accepted, always, type Check, firstKey, SECOND, send } from './check.ts';

/** The checks whose requests are accepted. */
export const ACCEPTED: readonly Check[] = [
  {
    name: 'genuine',
    applies: always,
    cases: async (stage) => [await accepted(stage, 'genuine', send(stage))],
  },
  {
    name: 'upper-case hex',
    applies: ({ encoding }) => encoding === 'hex',
    cases: async (stage) => [
      await accepted(stage, 'in capitals', send(stage, { alter: (signature) => signature.toUpperCase() })),
    ],
  },
  {
    name: 'base64 without padding',
    applies: ({ encoding }) => encoding === 'base64',
    cases: async (stage) => [
      await accepted(stage, 'unpadded', send(stage, { alter: (signature) => signature.replace(/=+$/, '') })),
    ],
  },
  {
    name: 'one second inside the tolerance',
    applies: ({ time }) => time !== undefined,
    cases: async (stage) => {
      const { late = 0, early = 0 } = stage.sender.time ?? {};
      return Promise.all([
        accepted(stage, 'late', send(stage, { now: stage.now - (late - 1) * SECOND })),
        accepted(stage, 'early', send(stage, { now: stage.now + (early - 1) * SECOND })),
      ]);
    },
  },
  {
    name: 'any of several signatures',
    applies: ({ lists }) => lists === true,
    cases: async (stage) => {
      const { stranger } = stage.sender.keys;
      const key = firstKey(stage.sender);
      return Promise.all([
        accepted(stage, 'the first', send(stage, { keys: [key, stranger] })),
        accepted(stage, 'the last', send(stage, { keys: [stranger, key] })),
      ]);
    },
  },
  {
    name: 'any of several secrets',
    applies: ({ keys }) => keys.signers.length > 0,
    cases: (stage) =>
      Promise.all(
        stage.sender.keys.signers.map(({ key, secret }, index) =>
          accepted(stage, `key ${index + 1}`, send(stage, { keys: [key] }), secret),
        ),
      ),
  },
];
