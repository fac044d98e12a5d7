import { partialFiles } from '../facts.ts';
import { table, type Sections } from './page.ts';

/** The partials that hookbell ships: what each is for, and its parameters. */
export const partialSections = (): Sections => ({
  partials: Object.entries(partialFiles())
    .map(([name, { about, params }]) => {
      const rows = Object.entries(params).map(([param, one]) => [
        `\`${param}\``,
        one.about,
        `\`${one.default}\``,
      ]);
      return `**\`${name}\`** ${about}\n\n${table(['parameter', 'is', 'without it'], rows)}`;
    })
    .join('\n\n'),
});
