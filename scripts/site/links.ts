// Links that lead nowhere, in Markdown and in the finished site. Nothing is fetched: links to other hosts are only refused where they
// are not https.

import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { makeSlugger } from './slug.ts'

/** Code says nothing about links. */
const withoutCode = (markdown: string): string =>
  markdown.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, code => (code.includes('](') ? '' : code))

/** The anchors of a page of Markdown. */
export function anchorsOf(markdown: string): Set<string> {
  const slug = makeSlugger()
  const text = markdown.replace(/```[\s\S]*?```/g, '')
  return new Set([...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => slug(heading)))
}

/** One sentence for each link of a page (its path from `root`) that leads nowhere. */
export function brokenMarkdownLinks(root: string, page: string): string[] {
  const markdown = readFileSync(join(root, page), 'utf8')
  const links = [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target)
  return links.flatMap(target => {
    if (/^[a-z]+:/.test(target)) return target.startsWith('https:') ? [] : [`${page}: ${target} is not https`]
    const [path, anchor] = target.split('#')
    const file = path === '' ? page : posix.join(posix.dirname(page), path)
    if (!existsSync(join(root, file))) return [`${page}: ${target} leads to no file`]
    const isMissing = anchor !== undefined && !anchorsOf(readFileSync(join(root, file), 'utf8')).has(anchor)
    return isMissing ? [`${page}: ${target} leads to no heading`] : []
  })
}

/** The same for a page of the site (its path from `folder`); a static host serves files and guesses nothing. */
export function brokenHtmlLinks(
  folder: string,
  page: string,
  anchors: (page: string) => Set<string>,
): string[] {
  const html = readFileSync(join(folder, page), 'utf8')
  const links = [...html.matchAll(/<[a-z][^>]*? (?:href|src)="([^"]*)"/g)].map(([, target]) => target)
  return links.flatMap(target => {
    if (/^(?:[a-z]+:|\/)/.test(target)) return [`${page}: ${target} leaves the folder`]
    const [path, anchor] = target.replaceAll('&amp;', '&').split('#')
    const file = path === '' ? page : posix.join(posix.dirname(page), path)
    if (file.startsWith('..') || !existsSync(join(folder, file)))
      return [`${page}: ${target} leads to no file`]
    return anchor === undefined || anchors(file).has(anchor) ? [] : [`${page}: ${target} leads to no anchor`]
  })
}

export const idsOf = (html: string): Set<string> =>
  new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
