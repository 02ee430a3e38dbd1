import { useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.ts';
import { keys } from '../api/keys.ts';
import { useAct } from '../api/use-act.ts';
import { keepConsoleSecret } from './console-secret.ts';

/** Signing in, by whatever the form or a link brings. */
export function useSignIn(onDone: () => void) {
  const client = useQueryClient();
  return useAct({
    mutationFn: async (body: { token: string } | { code: string }) => {
      const { consoleSecret, ...session } = await answerOf(api.POST('/v1/session', { body }));
      keepConsoleSecret(consoleSecret);
      return session;
    },
    onSuccess: (session) => {
      client.setQueryData(keys.sessionEnded, false);
      client.setQueryData(keys.session, session);
      onDone();
    },
  });
}
