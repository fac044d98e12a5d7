interface ApiAnswer {
  readonly body: unknown;
  readonly headers: Headers;
}

/** A call of a relay's admin API. Throws when it is refused. */
export type AdminApi = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;

export const adminApi =
  (url: string, token: string): AdminApi =>
  async (method, path, body) => {
    const response = await fetch(`${url}/admin/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return { body: await response.json(), headers: response.headers };
  };
