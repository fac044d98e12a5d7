/** `auto` follows the system. */
type Theme = 'auto' | 'light' | 'dark';

export const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

const STORED = 'hookbell.theme';

export function theme(): Theme {
  const stored = localStorage.getItem(STORED);
  return THEMES.find((one) => one === stored) ?? 'auto';
}

export function setTheme(wanted: Theme): void {
  if (wanted === 'auto') localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, wanted);
  applyTheme();
}

/** The colours are pairs (`light-dark()`), so it is enough to say which one. */
export function applyTheme(): void {
  const now = theme();
  document.documentElement.style.colorScheme = now === 'auto' ? 'light dark' : now;
}
