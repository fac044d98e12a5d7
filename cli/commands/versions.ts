import { showAnswer, type AddCommand, type Cli } from '../command.ts';
import { type ListOptions, withPaging } from '../relay/list.ts';
import { keepingText } from '../relay/config.ts';
import { versionList } from '../relay/shapes.ts';
import { shortTime } from '../show.ts';

export const add: AddCommand = (program) => {
  withPaging(program.command('versions'))
    .summary('list published versions')
    .description(
      'Lists published versions, newest first: when, by whom, and their note (`push -m`). * is the active version. `diff --from 3 --to 5` shows what changed. The last line says whether the configuration is managed in git, or who took it over.',
    )
    .examples(['hookbell versions', 'the last 20'])
    .run(listVersions);
};

const listVersions = (cli: Cli, options: ListOptions) =>
  showAnswer(cli, cli.client.get('/config/versions', versionList, { ...options }), (page, out) => {
    out.page(page, 'nothing has been published yet', [
      ['', ({ active }) => (active ? '*' : ''), { style: (cell) => out.style('green', cell) }],
      ['VERSION', ({ version }) => String(version), { align: 'right' }],
      ['PUBLISHED', ({ published_at }) => shortTime(published_at)],
      ['BY', ({ by }) => by, { gives: true }],
      ['NOTE', ({ note }) => note, { wraps: true }],
    ]);
    const keeping = keepingText(page);
    if (keeping === null || page.items.length === 0) return;
    out.line();
    out.wrapped(keeping);
  });
