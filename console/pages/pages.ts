import type { VNode } from 'preact';
import type { SessionRole } from '../ui/session.tsx';
import type { Texts } from '../texts/en.ts';
import { t } from '../texts/texts.ts';
import type { IconName } from '../ui/icon.tsx';
import { Accounts } from './accounts/accounts.tsx';
import { Charts } from './charts/charts.tsx';
import { Doctor } from './doctor/doctor.tsx';
import { EventPage } from './events/event.tsx';
import { Events } from './events/events.tsx';
import { MessagePage, Messages } from './messages/messages.tsx';
import { IncidentPage, Incidents } from './incidents/incidents.tsx';
import { Now } from './now/now.tsx';
import { OnCallPage } from './on-call/on-call.tsx';
import { OptedOut } from './opted-out/opted-out.tsx';
import { Recipients } from './recipients/recipients.tsx';
import { RejectionPage, Rejections } from './rejections/rejections.tsx';
import { SearchPage } from './search/search.tsx';
import { Send } from './send/send.tsx';
import { Sessions } from './sessions/sessions.tsx';
import { Silences } from './silences/silences.tsx';
import { SetUp } from './sources/set-up.tsx';
import { SourcePage } from './sources/source.tsx';
import { AddSource, Sources } from './sources/sources.tsx';
import { TemplatePage } from './templates/template.tsx';
import { Templates } from './templates/templates.tsx';
import { Versions } from './versions/versions.tsx';

type PageProps = Readonly<Record<string, string>>;

/** A page, by the pattern of its address; with its title where it needs a role. */
export const PAGES: readonly (readonly [
  pattern: string,
  page: (parts: PageProps) => VNode,
  needs?: readonly [role: SessionRole, title: string],
])[] = [
  ['/', Now],
  ['/incidents', Incidents],
  ['/incidents/:id', IncidentPage],
  ['/silences', Silences],
  ['/search', SearchPage, ['operator', t.find.title]],
  ['/events', Events],
  ['/events/:id', EventPage],
  ['/messages', Messages],
  ['/messages/:id', MessagePage],
  ['/sources', Sources],
  ['/sources/add', AddSource, ['editor', t.sources.add]],
  ['/sources/add/:id', SetUp, ['editor', t.sources.add]],
  ['/sources/:id', SourcePage],
  ['/rejections', Rejections],
  ['/rejections/:n', RejectionPage],
  ['/templates', Templates],
  ['/templates/:name', TemplatePage],
  ['/charts', Charts],
  ['/send', Send, ['operator', t.send.title]],
  ['/recipients', Recipients],
  ['/recipients/opted-out', OptedOut],
  ['/on-call', OnCallPage],
  ['/accounts', Accounts],
  ['/versions', Versions],
  ['/sessions', Sessions],
  ['/doctor', Doctor],
];

/** A page that the navigation names. `key`: after `g`. `isMain`: it is in a phone's bar. */
export interface NavItem {
  /** What is now, what came in, what is built, and what keeps it going. */
  readonly group: 'now' | 'inbox' | 'build' | 'system';
  readonly path: string;
  readonly name: IconName & keyof Texts['nav'];
  readonly key: string;
  readonly isMain?: true;
}

export const NAV: readonly NavItem[] = [
  { group: 'now', path: '/', name: 'now', key: 'n', isMain: true },
  { group: 'now', path: '/silences', name: 'silences', key: 'q' },
  { group: 'now', path: '/charts', name: 'charts', key: 'c' },
  { group: 'inbox', path: '/incidents', name: 'incidents', key: 'i', isMain: true },
  { group: 'inbox', path: '/events', name: 'events', key: 'e', isMain: true },
  { group: 'inbox', path: '/messages', name: 'messages', key: 'm', isMain: true },
  { group: 'inbox', path: '/rejections', name: 'rejections', key: 'x' },
  { group: 'inbox', path: '/send', name: 'send', key: 'w' },
  { group: 'build', path: '/sources', name: 'sources', key: 's' },
  { group: 'build', path: '/templates', name: 'templates', key: 't' },
  { group: 'build', path: '/recipients', name: 'recipients', key: 'r' },
  { group: 'build', path: '/on-call', name: 'onCall', key: 'o' },
  { group: 'system', path: '/accounts', name: 'accounts', key: 'a' },
  { group: 'system', path: '/versions', name: 'versions', key: 'v' },
  { group: 'system', path: '/sessions', name: 'sessions', key: 'l' },
  { group: 'system', path: '/doctor', name: 'doctor', key: 'd' },
];
