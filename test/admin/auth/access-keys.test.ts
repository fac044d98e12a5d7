import { describe, expect, it } from 'vitest';
import { accessKey } from '../../../src/admin/auth/access-keys.ts';
import { newTeam, NOW, type Team } from '../access-tokens.ts';

const ask = (team: Team, kid: string, now = NOW) => accessKey(team.domain, kid, { now, fetch: team.fetch });

const MINUTE = 60_000;

describe("an Access team's keys", () => {
  it('are fetched once an hour, from the team’s own address', async () => {
    const team = await newTeam();
    for (const after of [0, 1, 59 * MINUTE])
      expect(await ask(team, 'k1', NOW + after)).toMatchObject({ ok: true, value: { type: 'public' } });
    expect(team.asked).toEqual([`https://${team.domain}/cdn-cgi/access/certs`]);
    await ask(team, 'k1', NOW + 60 * MINUTE);
    expect(team.asked).toHaveLength(2);
  });

  it('are fetched again for one that is not known, but at most once a minute', async () => {
    const team = await newTeam();
    await ask(team, 'k1');
    await team.rotate('k2');
    expect(await ask(team, 'k2', NOW + MINUTE - 1)).toEqual({ ok: true, value: null });
    expect(team.asked).toHaveLength(1);
    expect(await ask(team, 'k2', NOW + MINUTE)).toMatchObject({ value: { type: 'public' } });
    for (let n = 0; n < 50; n += 1) await ask(team, `made-up-${n}`, NOW + MINUTE + n);
    expect(team.asked).toHaveLength(2);
    expect(await ask(team, 'k1', NOW + MINUTE + 99)).toMatchObject({ value: { type: 'public' } });
  });

  it('of a clock that goes back are fetched anew', async () => {
    const team = await newTeam();
    await ask(team, 'k1');
    await ask(team, 'k1', NOW - MINUTE);
    expect(team.asked).toHaveLength(2);
  });

  it('that are of another kind are passed over', async () => {
    const team = await newTeam();
    const { answer } = team;
    team.answer = async () => {
      const { keys } = await (await answer()).json<{ keys: object[] }>();
      const others = [
        null,
        { kid: 'ec', kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
        { ...keys[0], kid: 'ps', alg: 'PS256' },
      ];
      return Response.json({ keys: [...others, ...keys] });
    };
    expect(await ask(team, 'k1')).toMatchObject({ value: { type: 'public' } });
    for (const kid of ['ec', 'ps', '__proto__'])
      expect(await ask(team, kid)).toEqual({ ok: true, value: null });
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ['an error', () => new Response('no', { status: 500 })],
    ['a redirect', () => Response.redirect('https://elsewhere.example/keys')],
    ['no JSON', () => new Response('<html>')],
    ['no list', () => Response.json({ keys: {} })],
    ['a key that is none', () => Response.json({ keys: [{ kid: 'k1', kty: 'RSA', n: '!', e: 'AQAB' }] })],
    ['too much', () => Response.json({ keys: [], more: 'x'.repeat(70_000) })],
    ['nothing at all', () => Promise.reject(new Error('refused'))],
  ])('that come as %s are not used, and not asked for again for five seconds', async (_, answer) => {
    const team = await newTeam();
    const good = team.answer;
    team.answer = answer;
    expect(await ask(team, 'k1')).toEqual({ ok: false, error: 'unavailable' });
    team.answer = good;
    expect(await ask(team, 'k1', NOW + 4_999)).toEqual({ ok: false, error: 'unavailable' });
    expect(team.asked).toHaveLength(1);
    expect(await ask(team, 'k1', NOW + 5_000)).toMatchObject({ ok: true, value: { type: 'public' } });
  });

  it('are asked for without following redirects, and not for ever', async () => {
    const team = await newTeam();
    const { answer } = team;
    let init: RequestInit | undefined;
    team.answer = (given) => {
      init = given;
      return answer();
    };
    await ask(team, 'k1');
    expect(init?.redirect).toBe('manual');
    expect(init?.signal).toBeInstanceOf(AbortSignal);
  });

  it('that are an hour old and cannot be fetched are not trusted any more', async () => {
    const team = await newTeam();
    await ask(team, 'k1');
    team.answer = () => new Response('', { status: 503 });
    expect(await ask(team, 'k1', NOW + 60 * MINUTE)).toEqual({ ok: false, error: 'unavailable' });
  });
});
