import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask, onSignedOut, Refused } from './api/client.ts';
import type { SessionInfo } from './api/types.ts';
import { applyTheme, Frame } from './frame/frame.tsx';
import { Replace, session, signIn, SignIn } from './frame/sign-in.tsx';
import { onKey } from './lib/keys.ts';
import { live } from './lib/live.ts';
import { wordsOf } from './lib/load.ts';
import { followLink, forgetPages, match, restorePlace, startRouter, usePlace } from './lib/router.ts';
import { PAGES } from './pages/pages.ts';
import { forgetDrafts } from './pages/sources/draft.ts';
import style from './style/style.css?inline';
import { language, t } from './texts/texts.ts';
import { Empty, Loading, PageHead, Trouble } from './ui/basics.tsx';
import { For, SessionOf, type SessionRole } from './ui/session.tsx';
import { Toasts } from './ui/toast.tsx';

type Login =
  | { readonly is: 'unknown' }
  | { readonly is: 'failed'; readonly error: string }
  | { readonly is: 'out'; readonly note: string | null }
  /** A link would sign in somebody else than the one who is. */
  | { readonly is: 'asked'; readonly code: string; readonly session: SessionInfo }
  | { readonly is: 'in'; readonly session: SessionInfo };

function App() {
  const [login, setLogin] = useState<Login>({ is: 'unknown' });
  const enter = (session: SessionInfo): void => setLogin({ is: 'in', session });
  const start = (): void => {
    setLogin({ is: 'unknown' });
    void firstLogin().then(setLogin);
  };
  useEffect(() => {
    start();
    // A link that is opened where the console is open already does not load the page again.
    addEventListener('hashchange', () => CODE.test(location.hash) && start());
    addEventListener('keydown', onKey);
    onSignedOut(() => {
      forgetPages();
      setLogin((old) => (old.is === 'in' ? { is: 'out', note: t.signIn.ended } : old));
    });
  }, []);
  if (login.is === 'unknown' || login.is === 'failed')
    return (
      <main>{login.is === 'unknown' ? <Loading /> : <Trouble error={login.error} again={start} />}</main>
    );
  if (login.is === 'asked') return <Replace code={login.code} current={login.session} onSignedIn={enter} />;
  if (login.is === 'out') return <SignIn note={login.note} onSignedIn={enter} />;
  const leave = (): void => {
    forgetDrafts();
    forgetPages();
    void ask('DELETE', '/session').finally(() => setLogin({ is: 'out', note: null }));
  };
  return (
    <SessionOf value={login.session}>
      <div onClick={followLink}>
        <Page onSignOut={leave} />
      </div>
      <Toasts />
    </SessionOf>
  );
}

const CODE = /^#code=(.+)$/;

/** Signs in by the one-time code in the address, which it removes at once, or by the session that the browser has. */
async function firstLogin(): Promise<Login> {
  const code = CODE.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
  try {
    return { is: 'in', session: await (code === undefined ? session() : signIn({ code })) };
  } catch (thrown) {
    const status = thrown instanceof Refused ? thrown.status : null;
    // The code was not used: somebody else is signed in here.
    if (status === 409 && code !== undefined)
      return session().then((session) => ({ is: 'asked', code, session }), failed);
    if (status === 401) return { is: 'out', note: code === undefined ? null : t.signIn.badCode };
    return failed(thrown);
  }
}

const failed = (thrown: unknown): Login => ({
  is: 'failed',
  error: thrown instanceof Refused ? wordsOf(thrown) : t.common.offline,
});

function Page({ onSignOut }: { onSignOut: () => void }) {
  const { path } = usePlace();
  useEffect(restorePlace, [path]);
  return <Frame onSignOut={onSignOut}>{pageAt(path)}</Frame>;
}

function pageAt(path: string) {
  for (const [pattern, Content, needs] of PAGES) {
    const params = match(pattern, path);
    // Another address is another page: nothing of the one before stays.
    if (params !== null)
      return (
        <For role={needs?.[0] ?? 'viewer'} otherwise={needs && <Needs role={needs[0]} title={needs[1]} />}>
          <Content key={path} {...params} />
        </For>
      );
  }
  return (
    <>
      <PageHead title={t.common.notFoundTitle} />
      <Empty title={t.common.notFoundTitle}>{t.common.notFound}</Empty>
    </>
  );
}

const Needs = ({ role, title }: { role: SessionRole; title: string }) => (
  <>
    <PageHead title={title} />
    <Empty title={t.common.needs(t.account.roles[role])} />
  </>
);

// In the script, so that the page needs one file less. The policy allows no style but those of this host's files.
const sheet = new CSSStyleSheet();
sheet.replaceSync(style);
document.adoptedStyleSheets = [sheet];
document.documentElement.lang = language;
applyTheme();
startRouter();
live.start();
const root = document.querySelector('#app');
if (root !== null) render(<App />, root);
