/** The console is built once for all tests, unless it is there and newer than its sources. */
export default async function setup(): Promise<void> {
  await import('../../../scripts/console.ts');
}
