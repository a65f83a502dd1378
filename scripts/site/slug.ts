// The anchors of headings, as the hosts of repositories make them, so that a link works in the Markdown and in the site.

/** One for each page: the second heading of the same words gets "-1". */
export function makeSlugger(): (heading: string) => string {
  const given = new Map<string, number>()
  return heading => {
    const plain = slugOf(heading)
    const count = given.get(plain) ?? 0
    given.set(plain, count + 1)
    return count === 0 ? plain : `${plain}-${count}`
  }
}

/** Letters, digits, "_" and "-" stay; blanks become "-"; all else goes. */
const slugOf = (heading: string): string =>
  heading
    .replace(/`/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
