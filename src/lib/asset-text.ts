/** The text of one of the deployment's own assets. */
export async function assetText(assets: Fetcher, path: string): Promise<string> {
  const found = await assets.fetch(`https://assets.invalid/${path}`);
  const text = await found.text();
  if (!found.ok)
    throw new Error(`asset /${path}: status ${found.status}; deploy again, with the folder \`assets\``);
  return text;
}
