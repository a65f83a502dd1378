// A Vite plugin: puts the script and the styles of a built page into its HTML, and their hashes into its content security
// policy, where %SCRIPT_HASHES% and %STYLE_HASHES% stand. What the policy does not name does not count.

import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'

const POLICY = /<meta[^>]*http-equiv="Content-Security-Policy"[^>]*>/s

export function singleFile(): Plugin {
  return {
    name: 'single-file',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      // The development server brings scripts of its own, which no policy here could name.
      handler: (html, { server }) => (server === undefined ? html : html.replace(POLICY, '')),
    },
    generateBundle(_, bundle) {
      const texts = new Map<string, string>()
      for (const [name, file] of Object.entries(bundle)) {
        if (name.endsWith('.html')) continue
        texts.set(name, file.type === 'chunk' ? file.code : String(file.source))
        delete bundle[name]
      }
      for (const file of Object.values(bundle)) {
        if (file.type === 'asset') file.source = inline(String(file.source), texts)
      }
    },
  }
}

/** Replacements are functions, so that a $ in the code stays one. */
export function inline(html: string, texts: ReadonlyMap<string, string>): string {
  const hashes: string[] = []
  const styleHashes: string[] = []
  const find = (url: string): string => {
    const text = texts.get(url.replace(/^\.\//, ''))
    if (text === undefined) throw new Error(`${url} is not part of the build`)
    return text
  }
  const scripts: string[] = []
  const withoutScripts = html
    .replace(/<script[^>]*\bsrc="([^"]+)"[^>]*><\/script>\s*/g, (_, url: string) => {
      const code = `\n${find(url)
        .replace(/<\/(script)/gi, '<\\/$1')
        .replace(/<!--/g, '<\\!--')}`
      hashes.push(hashOf(code))
      scripts.push(`<script type="module">${code}</script>`)
      return ''
    })
    .replace(/<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/g, (_, url: string) => {
      const code = `\n${find(url)}`
      styleHashes.push(hashOf(code))
      return `<style>${code}</style>`
    })
  return withoutScripts
    .replace('</body>', () => `${scripts.join('\n')}\n</body>`)
    .replace('%SCRIPT_HASHES%', () => hashes.join(' '))
    .replace('%STYLE_HASHES%', () => styleHashes.join(' '))
}

const hashOf = (code: string): string => `'sha256-${createHash('sha256').update(code).digest('base64')}'`
