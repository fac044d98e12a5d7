/** True if a host, as {@link URL} writes it, is this machine. Requests to it do not cross a network. */
export const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
