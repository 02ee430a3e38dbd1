import { z } from 'zod';
import type { ForgeCall } from './call.ts';
import type { Forge, Pull } from './forge.ts';

const pullSchema = z
  .object({ iid: z.int(), web_url: z.url() })
  .transform(({ iid, web_url: url }): Pull => ({ number: iid, url }));

const issueSchema = z.object({
  title: z.string(),
  description: z.string().nullish(),
  web_url: z.url(),
});

/** GitLab's REST API, version 4. */
export function gitlabForge(call: ForgeCall, path: string): Forge {
  const at = `/projects/${encodeURIComponent(path)}`;
  return {
    async defaultBranch() {
      const schema = z.object({ default_branch: z.string().nullable() });
      return (await call({ path: at, schema }))?.default_branch ?? null;
    },
    async find(branch, into) {
      const query = new URLSearchParams({
        ...{ state: 'opened', source_branch: branch, target_branch: into },
      });
      const path = `${at}/merge_requests?${query}`;
      return (await call({ path, schema: z.array(pullSchema) }))?.[0] ?? null;
    },
    open: ({ title, text, branch, into, isDraft }) =>
      call({
        method: 'POST',
        path: `${at}/merge_requests`,
        body: {
          title: isDraft ? `Draft: ${title}` : title,
          description: text,
          source_branch: branch,
          target_branch: into,
        },
        schema: pullSchema,
      }),
    update: (number, text) =>
      call({
        method: 'PUT',
        path: `${at}/merge_requests/${number}`,
        body: { description: text },
        schema: pullSchema,
      }),
    async issue(number) {
      const found = await call({ path: `${at}/issues/${number}`, schema: issueSchema });
      return found && { title: found.title, text: found.description ?? '', url: found.web_url };
    },
  };
}
