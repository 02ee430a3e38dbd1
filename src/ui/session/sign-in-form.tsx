import { type FormEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import type { useSignIn } from './use-sign-in.ts';

/** One field: a token for a session's cookie. The token itself is kept nowhere. */
export function SignInForm({ signIn }: { readonly signIn: ReturnType<typeof useSignIn> }) {
  const [token, setToken] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() !== '') signIn.mutate({ token: token.trim() });
  };
  return (
    <form onSubmit={submit}>
      <label className="field-label" htmlFor="token">
        Token
      </label>
      <div className={`field ${signIn.isError ? 'invalid' : ''}`}>
        <input
          id="token"
          type="password"
          autoComplete="off"
          className="mono"
          data-autofocus
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          aria-invalid={signIn.isError}
        />
      </div>
      {signIn.isError ? (
        <p className="field-error" role="alert">
          {signIn.error.message}
        </p>
      ) : null}
      <Button type="submit" look="primary" className="full-width" disabled={signIn.isPending}>
        {signIn.isPending ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  );
}
