import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { keys } from '../../api/keys.ts';
import { Logo } from '../../components/logo.tsx';
import { ProviderLink } from '../../session/provider-link.tsx';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { useSignIn } from '../../session/use-sign-in.ts';

/** The code of a sign-in link stays in the browser: what is behind # is never sent along. */
function codeInAddress(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('code');
}

export function SignIn() {
  const client = useQueryClient();
  const [path, navigate] = useLocation();
  const redeemed = useRef(false);
  const signIn = useSignIn(() => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.session[0] });
    if (path === '/signin' || path === '/') navigate('/goals', { replace: true });
  });
  const { mutate } = signIn;
  useEffect(() => {
    const code = codeInAddress();
    if (code === null || redeemed.current) return;
    redeemed.current = true;
    history.replaceState(null, '', location.pathname);
    mutate({ code });
  }, [mutate]);
  return (
    <main className="sign-in">
      <div className="sign-in-box">
        <div className="brand">
          <Logo />
          <span>Goalkeeper</span>
        </div>
        <h1>Sign in</h1>
        <p className="text-secondary">
          Paste a token of this service. It is exchanged for a session of 12 hours.
        </p>
        <ProviderLink />
        <SignInForm signIn={signIn} />
        <p className="text-small text-muted">
          Tokens come from <span className="mono">GOALKEEPER_TOKENS</span>. Without that setting the
          service made one of role admin and keeps it in its home folder;{' '}
          <span className="mono">goalkeeper up</span> prints a link that signs in once.
        </p>
      </div>
    </main>
  );
}
