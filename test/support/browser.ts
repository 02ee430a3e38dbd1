/** Just enough of a browser for redirects: cookies for each origin, and no page. */
export function openBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string) => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  const cookie = (url: string): string =>
    [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ');
  const go = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { ...init.headers, cookie: cookie(url) };
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jarOf(url).delete(name);
      else jarOf(url).set(name, value);
    }
    return answer;
  };
  /** Follows redirects until a page that satisfies `isEnd`, and returns its address. */
  const follow = async (from: string, isEnd: (url: string) => boolean): Promise<string> => {
    for (let url = from, hops = 0; hops < 20; hops += 1) {
      const answer = await go(url);
      const to = answer.headers.get('location');
      if (to === null) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
      url = new URL(to, url).href;
      if (isEnd(url)) return url;
    }
    throw new Error(`${from} leads nowhere`);
  };
  return { go, follow, cookie };
}
