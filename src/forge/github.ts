import { z } from 'zod';
import type { ForgeCall } from './call.ts';
import type { Forge, Pull } from './forge.ts';

const pullSchema = z
  .object({ number: z.int(), html_url: z.url() })
  .transform(({ number, html_url: url }): Pull => ({ number, url }));

const pullsSchema = z.array(
  z.object({
    ...{ number: z.int(), html_url: z.url() },
    head: z.object({ ref: z.string() }),
    base: z.object({ ref: z.string() }),
  }),
);

const issueSchema = z.object({
  title: z.string(),
  body: z.string().nullish(),
  html_url: z.url(),
});

/** Drafts are told otherwise, and lists are filtered otherwise. */
interface Ways {
  readonly draft: (title: string, isDraft: boolean) => object;
  readonly filter: (branch: string, into: string) => string;
}

const OF_GITHUB = (owner: string): Ways => ({
  draft: (title, isDraft) => ({ title, draft: isDraft }),
  filter: (branch, into) =>
    `head=${encodeURIComponent(`${owner}:${branch}`)}&base=${encodeURIComponent(into)}`,
});

/** Gitea's lists take no branch. */
const OF_GITEA: Ways = {
  draft: (title, isDraft) => ({ title: isDraft ? `WIP: ${title}` : title }),
  filter: () => 'limit=50&sort=recentupdate',
};

/** GitHub's REST API, version 2022-11-28. */
export const githubForge = (call: ForgeCall, path: string): Forge =>
  forgeOf(call, path, OF_GITHUB(path.split('/')[0] ?? ''));

/** The API of Gitea, Forgejo and Codeberg, version 1, has the shapes of GitHub's. */
export const giteaForge = (call: ForgeCall, path: string): Forge => forgeOf(call, path, OF_GITEA);

function forgeOf(call: ForgeCall, path: string, ways: Ways): Forge {
  const at = `/repos/${path}`;
  return {
    async defaultBranch() {
      const schema = z.object({ default_branch: z.string() });
      return (await call({ path: at, schema }))?.default_branch ?? null;
    },
    async find(branch, into) {
      const query = `state=open&${ways.filter(branch, into)}`;
      const pulls = await call({ path: `${at}/pulls?${query}`, schema: pullsSchema });
      const found = pulls?.find(({ head, base }) => head.ref === branch && base.ref === into);
      return found === undefined ? null : { number: found.number, url: found.html_url };
    },
    open: ({ title, text, branch, into, isDraft }) =>
      call({
        method: 'POST',
        path: `${at}/pulls`,
        body: { ...ways.draft(title, isDraft), body: text, head: branch, base: into },
        schema: pullSchema,
      }),
    update: (number, text) =>
      call({
        method: 'PATCH',
        path: `${at}/pulls/${number}`,
        body: { body: text },
        schema: pullSchema,
      }),
    async issue(number) {
      const found = await call({ path: `${at}/issues/${number}`, schema: issueSchema });
      return found && { title: found.title, text: found.body ?? '', url: found.html_url };
    },
  };
}
