import { readdirSync, readFileSync } from 'node:fs';

/** A process as `/proc` shows it. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
}

/** The session that a descendant of `pid` leads: that of its terminal. Null when it has ended. */
export function sessionOf(pid: number): number | null {
  const all = processes();
  const below = (parent: number): Process | undefined => all.find((one) => one.parent === parent);
  for (let at = below(pid); at !== undefined; at = below(at.pid))
    if (at.session === at.pid) return at.session;
  return null;
}

/** Ends all that was started in a session, by its ids: what ran in a terminal, in the background too. */
export function endSession(session: number): void {
  for (const one of processes())
    if (one.session === session)
      try {
        process.kill(one.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
}

function processes(): readonly Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // `pid (name) state parent group session …`; the name may have anything in it.
        const [, parent, , session] = (
          readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').pop() ?? ''
        ).split(' ');
        return [{ pid: Number(name), parent: Number(parent), session: Number(session) }];
      } catch {
        return [];
      }
    });
}
