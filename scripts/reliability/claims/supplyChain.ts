import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeSbom } from '../../write-sbom.ts'
import { type Claim, counted, type Outcome, type Run } from '../claim.ts'
import { runSuites } from '../suites.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Advisories against what is shipped, as the registry knows them today. */
function audit(): { readonly known: number | undefined; readonly reason: string } {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: ROOT, encoding: 'utf8' })
  try {
    return { known: JSON.parse(stdout).metadata.vulnerabilities.total, reason: '' }
  } catch {
    return { known: undefined, reason: stdout.slice(0, 200) }
  }
}

async function measure({ folder }: Run): Promise<Outcome> {
  const { components } = writeSbom()
  const { failed, passed, problems } = runSuites(folder, ['packages/core/test/scripts/supplyChain.test.ts'])
  const { known, reason } = audit()
  const hash = readFileSync(new URL('../../../packages/core/kernels/kernels.sha256', import.meta.url), 'utf8')
  const advisories =
    known === undefined
      ? 'whether advisories are known against them could not be checked here'
      : `advisories known against them: ${known}`
  return {
    kept: failed === 0 && passed > 0 && (known ?? 0) === 0,
    figure: `0 runtime dependencies of the library; ${counted(components.length, 'package')} installed with or bundled into the others, all with a checksum in the lock file ([list and licences](licences.md), [SBOM](sbom.json)); ${advisories}; the WebAssembly kernels have the SHA-256 ${hash.slice(0, 16)}... wherever they are built.`,
    problems: [...problems, ...(reason === '' ? [] : [reason])],
  }
}

export const supplyChain: Claim = {
  id: 'R23',
  title: 'Supply chain',
  promised:
    'The library has no runtime dependency. What the command line and the page depend on is listed with versions, checksums and licences, and no advisory is known against it; building the kernels gives the same bytes everywhere. Packages are not signed with provenance yet: none is published.',
  anchor: 'MCGrad: 12 dependencies, including torch. kysely: none, and a security policy.',
  by: { unit: 'time', long: 1, measure },
}
