// Finds the plain text of a file shown on a GitHub page.

/** Returns any other URL unchanged. `https://github.com/OWNER/REPO/blob/REF/PATH` is a file's page, not the file. */
export function rawFileUrl(text: string): string {
  const url = new URL(text);
  const [, owner, repo, blob, ...path] = url.pathname.split('/');
  const isPage = /^(www\.)?github\.com$/.test(url.host) && blob === 'blob' && path.length > 1;
  return isPage ? `https://raw.githubusercontent.com/${owner}/${repo}/${path.join('/')}` : text;
}
