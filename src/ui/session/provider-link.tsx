import { useQuery } from '@tanstack/react-query';
import { signInMethodsQuery } from '../api/queries.ts';
import { buttonClass } from '../components/button.tsx';

/** Why the provider's answer was refused; `#refused=` of the address. */
const refusals: Readonly<Record<string, string>> = {
  forbidden: 'Your account at the provider has no role here, or no verified name.',
  unauthorized: 'The sign-in was not finished in this browser, or took too long. Try again.',
};

/** Signing in where the service's people do; nothing where tokens are the only way. */
export function ProviderLink() {
  const { data } = useQuery(signInMethodsQuery);
  const code = new URLSearchParams(location.hash.slice(1)).get('refused');
  if (!data?.oidc) return null;
  return (
    <>
      {code === null ? null : (
        <p className="field-error" role="alert">
          {refusals[code] ?? 'The provider does not answer. Try again.'}
        </p>
      )}
      <a className={buttonClass({ look: 'primary' }, 'full-width')} href="/v1/oidc/login">
        Sign in with {new URL(data.oidc).host}
      </a>
      <p className="text-small text-muted">or with a token:</p>
    </>
  );
}
