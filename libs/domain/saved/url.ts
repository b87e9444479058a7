// Where a file that is shown on a page of GitHub stands as text.

/** Any other URL as it is. `https://github.com/OWNER/REPO/blob/REF/PATH` is the page of a file, and often taken for it. */
export function fileUrl(text: string): string {
  const url = new URL(text);
  const [, owner, repo, blob, ...path] = url.pathname.split('/');
  const isPage = /^(www\.)?github\.com$/.test(url.host) && blob === 'blob' && path.length > 1;
  return isPage ? `https://raw.githubusercontent.com/${owner}/${repo}/${path.join('/')}` : text;
}
