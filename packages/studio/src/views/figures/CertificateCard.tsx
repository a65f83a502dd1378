// The certificate: what is proven, what is measured, and what to mind.

import type { CertificateSummary } from '@featureboost/core/internal'
import { Figure } from '../Figure.tsx'
import { count } from '../format.ts'

export function CertificateCard({ certificate }: { certificate: CertificateSummary }) {
  const { caveats, fingerprint, holds, measured, modelHash, proven, rowCount, sentence } = certificate
  return (
    <Figure
      id="certificate"
      title="Certificate"
      reading={`Anyone with the model file and the ${count(rowCount)} rows can compute this again: featureboost verify DATA --model FILE.`}
      wide
    >
      <p class={holds ? 'claim good' : 'claim attention'}>{sentence}</p>
      <div class="certificate-words">
        <Sentences title="Proven" sentences={proven} />
        <Sentences title="Measured" sentences={measured} />
        <Sentences title="Mind" sentences={caveats} />
      </div>
      <dl class="hashes">
        <dt>model, SHA-256</dt>
        <dd>
          <code>{modelHash}</code>
        </dd>
        <dt>rows, fingerprint</dt>
        <dd>
          <code>{fingerprint}</code>
        </dd>
      </dl>
    </Figure>
  )
}

function Sentences({ sentences, title }: { title: string; sentences: readonly string[] }) {
  if (sentences.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <ul class="sentences">
        {sentences.map(sentence => (
          <li key={sentence}>
            <bdi>{sentence}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
