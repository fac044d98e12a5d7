/** A changelog after https://keepachangelog.com. Its first section has the unreleased changes. */

const UNRELEASED = '## [Unreleased]\n';

/**
 * The changelog with its unreleased section as the entry of `version`, released on `date` (`2026-11-22`). Null: that
 * section is empty, so there is nothing to release.
 */
export function released(changelog: string, version: string, date: string): string | null {
  const begin = changelog.indexOf(UNRELEASED);
  if (begin < 0) return null;
  const body = begin + UNRELEASED.length;
  const next = changelog.indexOf('\n## ', body);
  const entry = changelog.slice(body, next < 0 ? undefined : next);
  if (!/^- /m.test(entry)) return null;
  return `${changelog.slice(0, body)}\n## [${version}] - ${date}\n${changelog.slice(body)}`;
}

/** The entry of a version, for the release's page. Empty: there is none. */
export function notesOf(changelog: string, version: string): string {
  const begin = changelog.indexOf(`\n## [${version}]`);
  if (begin < 0) return '';
  const body = changelog.indexOf('\n', begin + 1);
  const next = changelog.indexOf('\n## ', body);
  return `${changelog.slice(body, next < 0 ? undefined : next).trim()}\n`;
}
