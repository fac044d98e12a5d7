import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useKeys, shortcuts } from '../lib/keys.ts';
import { addressOf, go, usePlace } from '../lib/router.ts';
import { readStored, store } from '../lib/stored.ts';
import { NAV, type NavItem } from '../pages/pages.ts';
import { language, LANGUAGE_NAMES, setLanguage, t } from '../texts/texts.ts';
import { Button, Time } from '../ui/basics.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/form.tsx';
import { Icon, Logo } from '../ui/icon.tsx';
import { useSession } from '../ui/session.tsx';

export function Frame({ onSignOut, children }: { onSignOut: () => void; children: ComponentChildren }) {
  const [open, setOpen] = useState<'keys' | 'more' | null>(null);
  useKeys([
    ...NAV.map(({ path, name, key }) => ({
      key: `g ${key}`,
      label: t.keys.goTo(t.nav[name]),
      run: () => go(path),
    })),
    { key: '/', label: t.common.search, run: focusSearch },
    { key: '?', label: t.keys.help, run: () => setOpen('keys') },
  ]);
  const close = (): void => setOpen(null);
  return (
    <div class="frame">
      <a class="skip" href="#content">
        {t.common.skip}
      </a>
      <nav class="side" aria-label={t.nav.label}>
        <a class="line brand" href={addressOf('/')}>
          <Logo />
          {t.common.product}
        </a>
        <NavLinks />
        <Person onSignOut={onSignOut} />
      </nav>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <nav class="bottom" aria-label={t.nav.label}>
        {NAV.filter(({ isMain }) => isMain).map((item) => (
          <NavLink key={item.path} item={item} />
        ))}
        <button type="button" class="line nav-link" onClick={() => setOpen('more')}>
          <Icon name="menu" />
          <span>{t.common.more}</span>
        </button>
      </nav>
      {open === 'keys' && <Keys onClose={close} />}
      {open === 'more' && (
        <Dialog title={t.nav.menu} onClose={close}>
          <div class="stack tight more-pages" onClick={close}>
            <NavLinks isRest />
          </div>
          <Account onSignOut={onSignOut} />
        </Dialog>
      )}
    </div>
  );
}

const focusSearch = (): void => document.querySelector<HTMLElement>('[data-search]')?.focus();

/** `isRest`: without the pages of a phone's bar, where it stands below. */
const NavLinks = ({ isRest = false }: { isRest?: boolean }) => (
  <>
    {[...Map.groupBy(NAV, ({ group }) => group)].map(([name, pages]) => (
      <div key={name} class="nav-group">
        <p aria-hidden="true">{t.nav[name]}</p>
        <ul class="nav" aria-label={t.nav[name]}>
          {pages
            .filter(({ isMain }) => !isRest || isMain !== true)
            .map((item) => (
              <li key={item.path}>
                <NavLink item={item} />
              </li>
            ))}
        </ul>
      </div>
    ))}
  </>
);

function NavLink({ item: { path, name } }: { item: NavItem }) {
  const current = usePlace().path;
  const isCurrent = path === '/' ? current === '/' : current === path || current.startsWith(`${path}/`);
  return (
    <a class="line nav-link" href={addressOf(path)} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={name} />
      <span>{t.nav[name]}</span>
    </a>
  );
}

/** Who is signed in; behind it, what they may choose. */
function Person({ onSignOut }: { onSignOut: () => void }) {
  const { role, actor } = useSession();
  const name = isNamed(actor, role) ? actor : t.account.roles[role];
  return (
    <div class="side-foot">
      <button type="button" class="line nav-link" popovertarget="account">
        <span class="avatar" aria-hidden="true">
          {name.slice(0, 1).toUpperCase()}
        </span>
        <span class="account-who cut">{name}</span>
      </button>
      <div id="account" class="account-menu" popover="auto">
        <Account onSignOut={onSignOut} />
      </div>
    </div>
  );
}

const THEMES = ['auto', 'light', 'dark'] as const;
const THEME_KEY = 'hookbell.theme';

/** `auto` follows the system. */
const theme = (): (typeof THEMES)[number] =>
  THEMES.find((one) => one === readStored<string>(localStorage, THEME_KEY)) ?? 'auto';

/** The colours are pairs (`light-dark()`), so it is enough to say which one. */
export function applyTheme(): void {
  const now = theme();
  document.documentElement.style.colorScheme = now === 'auto' ? 'light dark' : now;
}

const isNamed = (actor: string, role: string): boolean => actor !== role && actor !== 'token';

function Account({ onSignOut }: { onSignOut: () => void }) {
  const session = useSession();
  const [chosen, setChosen] = useState(theme);
  return (
    <div class="stack account">
      <p class="account-who">
        <strong>{t.account.roles[session.role]}</strong>
        {isNamed(session.actor, session.role) && <span>{session.actor}</span>}
      </p>
      <div class="pair">
        <SelectField
          label={t.account.theme}
          value={chosen}
          options={THEMES.map((one) => [one, t.account.themes[one]] as const)}
          onChange={(value) => {
            store(localStorage, THEME_KEY, value);
            applyTheme();
            setChosen(theme());
          }}
        />
        <SelectField
          label={t.account.language}
          value={language}
          options={Object.entries(LANGUAGE_NAMES)}
          onChange={setLanguage}
        />
      </div>
      {session.expires_at !== null && (
        <p class="soft">
          {t.account.until} <Time at={session.expires_at} />
        </p>
      )}
      {session.via === 'session' && <Button onClick={onSignOut}>{t.account.signOut}</Button>}
    </div>
  );
}

const Keys = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={t.keys.title} onClose={onClose}>
    <dl class="stack tight keys">
      {shortcuts().map(({ key, label }) => (
        <div class="line" key={key}>
          <dt class="line end">
            {key.split(' ').map((one) => (
              <kbd key={one}>{one}</kbd>
            ))}
          </dt>
          <dd>{label}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
