const KEY = 'hookbell:name';

/** The name that somebody gave in this browser before. */
export function ownName(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    // Storage is forbidden.
    return '';
  }
}

export function rememberName(name: string): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // It is asked again.
  }
}
