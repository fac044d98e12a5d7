import { reading, type PlantedFaults } from './planted-fault.ts';

/** Somebody who has opted out gets messages, or somebody who has not gets none. */
export const OF_OPT_OUTS: PlantedFaults = {
  // Nobody reads of those who have opted out.
  'an opt-out that is not heeded': () => ({
    published: (set) => set.replace(/"suppressions":"[^"]*",/, ''),
  }),
  // Whoever has opted out stays so.
  'an opt-out that cannot be taken back': () => ({
    write: (_object, text) => !text.startsWith('DELETE FROM suppressions'),
  }),
  // What is for those who have opted out, too, ends suppressed.
  'a message that is not transactional': () => reading('"transactional":true', '"transactional":false'),
};
