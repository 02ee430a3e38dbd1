import { assistantMessages, reply, type Script } from '../../demo/script.ts';

/** Goals that pause, wait and are nudged by themselves while others change them. */
export const restless: Script = (request) => {
  const said = assistantMessages(request);
  const soon = { delayMs: (said * 7) % 30 };
  if (said % 7 === 5) return { ...reply.call('ask_user', { question: 'Which one?' }), ...soon };
  if (said % 2 === 0) return { ...reply.call('list_files', { glob: `${said}*` }), ...soon };
  return { ...reply.text(`Part ${said} is written.`), ...soon };
};
