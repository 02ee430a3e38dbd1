import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.ts';
import { keys } from '../api/keys.ts';

/** Signing in, by whatever the form or a link brings. */
export function useSignIn(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { token: string } | { code: string }) =>
      answerOf(api.POST('/v1/session', { body })),
    onSuccess: (session) => {
      client.setQueryData(keys.sessionEnded, false);
      client.setQueryData(keys.session, session);
      onDone();
    },
  });
}
