import { join } from 'node:path';
import { startChromium } from './chromium.ts';

/** Takes the README's picture of the simulator's page, while `npm start` is running. Needs Chromium on the machine. */
async function main(): Promise<void> {
  const port = process.env['SIMULATOR_PORT'] ?? '8788';
  const browser = await startChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1_000, height: 640 } });
    await page.goto(`http://localhost:${port}/#4915187654321`);
    await page.getByText('Who is looking at').last().waitFor();
    await page.screenshot({ path: join(import.meta.dirname, '../docs/phone.png') });
  } finally {
    await browser.close();
  }
}

await main();
