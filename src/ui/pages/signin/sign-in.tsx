import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Logo } from '../../components/logo.tsx';

/** The code of a sign-in link stays in the browser: what is behind # is never sent along. */
function codeInAddress(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('code');
}

/** One field: a token for a session's cookie. The token itself is kept nowhere. */
export function SignIn() {
  const client = useQueryClient();
  const [path, navigate] = useLocation();
  const [token, setToken] = useState('');
  const redeemed = useRef(false);
  const signIn = useMutation({
    mutationFn: (body: { token: string } | { code: string }) =>
      answerOf(api.POST('/v1/session', { body })),
    onSuccess: async (session) => {
      if (path === '/signin' || path === '/') navigate('/goals', { replace: true });
      await client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.session[0] });
      client.setQueryData(keys.session, session);
    },
  });
  useEffect(() => {
    const code = codeInAddress();
    if (code === null || redeemed.current) return;
    redeemed.current = true;
    history.replaceState(null, '', location.pathname);
    signIn.mutate({ code });
  }, [signIn]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() !== '') signIn.mutate({ token: token.trim() });
  };
  return (
    <main className="signin">
      <form onSubmit={submit}>
        <div className="brand">
          <Logo />
          <span>Goalkeeper</span>
        </div>
        <h1>Sign in</h1>
        <p className="t2">
          Paste a token of this service. It is exchanged for a session of 12 hours.
        </p>
        <label className="lbl" htmlFor="token">
          Token
        </label>
        <div className={`field ${signIn.isError ? 'invalid' : ''}`}>
          <input
            id="token"
            type="password"
            autoComplete="off"
            className="mono"
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            aria-invalid={signIn.isError}
            aria-describedby="signin-help"
          />
        </div>
        {signIn.isError ? (
          <p className="err" role="alert">
            {signIn.error.message}
          </p>
        ) : null}
        <button type="submit" className="btn p wide" disabled={signIn.isPending}>
          {signIn.isPending ? 'Signing in…' : 'Sign in'}
        </button>
        <p id="signin-help" className="xs t3">
          Tokens come from <span className="mono">GOALKEEPER_TOKENS</span>. Without that setting the
          service made one of role admin and keeps it in its home folder;{' '}
          <span className="mono">goalkeeper up</span> prints a link that signs in once.
        </p>
      </form>
    </main>
  );
}
