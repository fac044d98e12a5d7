/** A static asset that is deployed with this page; null: there is none. */
export async function asset<Content>(path: string, signal?: AbortSignal): Promise<Content | null> {
  try {
    const response = await fetch(path, signal && { signal });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- deployed with this page
    return response.ok ? ((await response.json()) as Content) : null;
  } catch {
    return null;
  }
}
