import { useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '../api/keys.ts';
import { Dialog } from '../components/dialog.tsx';
import { ProviderLink } from './provider-link.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useSignIn } from './use-sign-in.ts';

/** Over the page as it is: what was typed in it is still there afterwards. */
export function SessionEnded() {
  const client = useQueryClient();
  const { data: hasEnded } = useQuery({
    queryKey: keys.sessionEnded,
    queryFn: () => false,
    initialData: false,
    enabled: false,
  });
  const signIn = useSignIn(() => void client.invalidateQueries());
  return (
    <Dialog isOpen={hasEnded} title="Your session has ended">
      <p>Sign in again to go on here. Nothing that you typed is lost; goals go on meanwhile.</p>
      <ProviderLink />
      <SignInForm signIn={signIn} />
    </Dialog>
  );
}
