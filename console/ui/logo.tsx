export const Logo = () => (
  <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="9" />
    <path d="M16 7a6 6 0 0 0-6 6v4.5l-2 3.5h16l-2-3.5V13a6 6 0 0 0-6-6zm-2.5 15.5a2.5 2.5 0 0 0 5 0z" />
  </svg>
);
