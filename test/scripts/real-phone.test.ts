import { describe, expect, it } from 'vitest';
import { realPhone } from '../../cli/dev/real-phone.ts';
import { startSimulator } from '../../simulator/simulator.ts';

describe('--phone', () => {
  it.each([
    'my-topic',
    'ntfy:',
    'ntfy:a b',
    'ntfy:ftp://x.example/topic',
    'ntfy:https://x.example/',
    'sms:4915',
  ])('%j is refused with how to write it', (given) => {
    const phone = realPhone(given, fetch);
    expect(phone.ok ? '' : phone.error).toContain('--phone must be ntfy:my-topic');
  });

  it('is ntfy.sh, unless it names a server', () => {
    const phone = realPhone('ntfy:my-topic', fetch);
    expect(phone.ok && [phone.value.baseUrl, phone.value.topic]).toEqual(['https://ntfy.sh', 'my-topic']);
  });

  it('gets what the simulated phone shows, and nothing that it does not show', async () => {
    const real = await startSimulator({ port: 0 });
    // A server of one's own, below whose root the stand-in is not.
    const toStandIn: typeof fetch = (_, init) => fetch(`${real.url}/makers/ntfy/`, init);
    const phone = realPhone('ntfy:https://ntfy.example/my-topic', toStandIn);
    if (!phone.ok) throw new Error(phone.error);
    const sent: Promise<string | null>[] = [];
    const simulated = await startSimulator({
      port: 0,
      onCall: (call) => void sent.push(phone.value.show(call)),
    });
    const send = (fields: Record<string, string>, path = 'send-message.php') =>
      fetch(`${simulated.url}/api/${path}`, {
        method: 'POST',
        body: new URLSearchParams({ email: 'a@b.example', api_key: 'k', ...fields }),
      });
    await send({ phone: '4915112345678', message: 'Order *17*' });
    await send({ phone: '+49', message: 'refused by the simulator' });
    await send({ phone: '4915112345678', question: 'When?', options: 'Mon,Tue' }, 'send-poll.php');
    expect(await Promise.all(sent)).toEqual([null, null, null]);
    const calls = await fetch(`${real.url}/_control/calls`);
    expect(await calls.json()).toMatchObject({
      items: [
        { to: 'my-topic', params: { message: 'Order 17' } },
        { to: 'my-topic', params: { message: 'When?\n1. Mon\n2. Tue' } },
      ],
    });
    await Promise.all([real.close(), simulated.close()]);
  });
});
