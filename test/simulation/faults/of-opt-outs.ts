import type { PlantedFault } from './planted-fault.ts';

/** Somebody who has opted out gets messages, or somebody who has not gets none. */
export const OF_OPT_OUTS: readonly PlantedFault[] = [
  {
    name: 'an opt-out that is forgotten after a restart',
    note: 'whoever starts reads nothing of those who have opted out',
    seams: () => ({ kvGet: (_key, value) => value?.replace(/"suppressions":"[^"]*",/, '') ?? null }),
  },
  {
    name: 'an opt-out that cannot be taken back',
    note: 'whoever has opted out stays so',
    seams: () => ({ write: (_object, text) => !text.startsWith('DELETE FROM suppressions') }),
  },
  {
    name: 'a message that is not transactional',
    note: 'what is for those who have opted out, too, ends suppressed',
    seams: () => ({
      kvGet: (_key, value) => value?.replaceAll('"transactional":true', '"transactional":false') ?? null,
    }),
  },
];
