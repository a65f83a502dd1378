// What the published packages bring along: docs/sbom.json (CycloneDX 1.6), from package-lock.json, and docs/licences.md, from the packages
// themselves. Everything that is installed with them is listed, and what is bundled into them; development tools are not.
//
//   npx tsx scripts/write-sbom.ts            writes both
//   npx tsx scripts/write-sbom.ts --check    ends with code 1 where one is not as it would be written

import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = new URL('../', import.meta.url)
const SBOM = new URL('docs/sbom.json', root)
const LICENCES = new URL('docs/licences.md', root)

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

type Lock = { readonly packages: Readonly<Record<string, Locked>> }

/** Our packages, and what of their development dependencies is bundled into what they publish. */
const OURS: Readonly<Record<string, readonly string[]>> = {
  'packages/core': [],
  'packages/cli': [],
  'packages/studio': ['@preact/signals', 'hyparquet', 'hyparquet-compressors', 'preact'],
}

export interface Component {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly integrity: string
  /** Only on some systems, or where it can be had. */
  readonly optional: boolean
  readonly neededBy: readonly string[]
}

/** Everything that our packages need when they run, found by walking the lock file from them. */
export function findComponents(lock: Lock): Component[] {
  const found = new Map<string, { optional: boolean; neededBy: Set<string> }>()
  const visit = (path: string, from: string, name: string, optional: boolean): void => {
    const place = placeOf(lock, path, name)
    if (place === undefined) {
      if (optional) return
      throw new Error(`${name}, needed by ${from}, is not in the lock file`)
    }
    if (lock.packages[place].link || place.startsWith('packages/')) return
    const known = found.get(place)
    if (known !== undefined) {
      known.neededBy.add(from)
      known.optional &&= optional
      return
    }
    found.set(place, { optional, neededBy: new Set([from]) })
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[place]
    const self = nameOf(place)
    for (const each of Object.keys(dependencies)) visit(place, self, each, optional)
    for (const each of Object.keys(optionalDependencies)) visit(place, self, each, true)
  }
  for (const [path, bundled] of Object.entries(OURS)) {
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[path] ?? {}
    const self = nameOfOurs(path)
    for (const each of [...Object.keys(dependencies), ...bundled]) visit(path, self, each, false)
    for (const each of Object.keys(optionalDependencies)) visit(path, self, each, true)
  }
  return [...found]
    .map(([place, { neededBy, optional }]) => {
      const { integrity = '', license = '', version = '' } = lock.packages[place]
      return {
        name: nameOf(place),
        version,
        licence: license,
        integrity,
        optional,
        neededBy: [...neededBy].sort(),
      }
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

const nameOf = (place: string): string =>
  place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
const nameOfOurs = (path: string): string =>
  JSON.parse(readFileSync(new URL(`${path}/package.json`, root), 'utf8')).name

/** As Node looks for it: in the folder itself, then in those above. */
function placeOf(lock: Lock, path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '') {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (place in lock.packages) return place
    if (folder === '') return undefined
  }
}

function sbomOf(components: readonly Component[], version: string): string {
  const purl = (name: string, of: string) => `pkg:npm/${name.replace('@', '%40')}@${of}`
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        ...{ type: 'application', name: 'featureboost', version, 'bom-ref': purl('featureboost', version) },
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: components.map(({ integrity, licence, name, optional, version: its }) => ({
      type: 'library',
      'bom-ref': purl(name, its),
      name,
      version: its,
      scope: optional ? 'optional' : 'required',
      purl: purl(name, its),
      licenses: [{ license: { id: licence } }],
      ...(integrity.startsWith('sha512-') && {
        hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }],
      }),
    })),
    dependencies: [
      {
        ref: purl('featureboost', version),
        dependsOn: components
          .filter(({ neededBy }) =>
            neededBy.some(name => name === 'featureboost' || name.startsWith('@featureboost/')),
          )
          .map(({ name, version: its }) => purl(name, its)),
      },
      ...components.map(({ name, version: its }) => ({
        ref: purl(name, its),
        dependsOn: components
          .filter(({ neededBy }) => neededBy.includes(name))
          .map(other => purl(other.name, other.version)),
      })),
    ],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function licencesOf(components: readonly Component[]): string {
  const rows = components.map(
    ({ licence, name, neededBy, optional, version }) =>
      `| ${name} | ${version} | ${licence} | ${neededBy.join(', ')}${optional ? ' (on some systems only)' : ''} |`,
  )
  return `# What is shipped with featureboost, and its licences

featureboost itself is under the MIT licence. \`@featureboost/core\` has no runtime dependency. The other packages depend on these, installed
next to them or bundled into the page. Written by \`npx tsx scripts/write-sbom.ts\` from the lock file; the same list, for machines, is
[sbom.json](sbom.json) (CycloneDX).

| package | version | licence | needed by |
|---|---|---|---|
${rows.join('\n')}
`
}

/** What both files should hold. */
export function writeSbom(): {
  readonly sbom: string
  readonly licences: string
  readonly components: readonly Component[]
} {
  const lock: Lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'))
  const components = findComponents(lock)
  const version: string = JSON.parse(readFileSync(new URL('packages/cli/package.json', root), 'utf8')).version
  return { sbom: sbomOf(components, version), licences: licencesOf(components), components }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const { licences, sbom } = writeSbom()
  for (const [file, text] of [
    [SBOM, sbom],
    [LICENCES, licences],
  ] as const) {
    if (!values.check) writeFileSync(file, text)
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      console.error(`${fileURLToPath(file)} is not current: run npx tsx scripts/write-sbom.ts`)
      process.exitCode = 1
    }
  }
}
