/** A changelog after https://keepachangelog.com, whose first section is what no version has yet. */

const UNRELEASED = '## [Unreleased]\n';

/**
 * The changelog in which what was unreleased is of `version`, which came out on `date` (`2026-11-22`). Null: nothing is
 * written there, so that there is nothing to release.
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
